import type { ClipboardEvent } from "react";
import { copied, cut, pasted, pastedForeign } from "./clipboard.ts";
import { foreignFrom } from "./document/index.ts";
import type { Scene } from "./scene.ts";

/** In fields, the browser itself handles copy and paste. */
const isField = ({ target }: ClipboardEvent) =>
  target instanceof Element && target.closest("input, textarea, [contenteditable]") !== null;

/** Clipboard events for the canvas and the outline. Unlike the clipboard API, these events work on plain HTTP too. */
export function clipboardOf(scene: Scene, workspaceId: string) {
  const writes = (act: (scene: Scene, workspaceId: string) => string | undefined) => (event: ClipboardEvent) => {
    const text = isField(event) ? undefined : act(scene, workspaceId);
    if (text === undefined) return;
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
  };
  return {
    onCopy: writes(copied),
    onCut: writes(cut),
    onPaste(event: ClipboardEvent) {
      if (isField(event)) return;
      const text = event.clipboardData.getData("text/plain");
      const foreign = foreignFrom(text);
      if (foreign !== undefined) void pastedForeign(scene, foreign);
      if (foreign !== undefined || pasted(scene, text)) event.preventDefault();
    },
  };
}
