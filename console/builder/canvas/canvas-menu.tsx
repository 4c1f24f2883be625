import { words } from "../../messages/en-builder.ts";
import { Keys } from "../../ui/kbd.tsx";
import { MenuItem, MenuSeparator, PointMenu } from "../../ui/menu.tsx";
import { nextInsertPosition, removeSelected } from "../actions.ts";
import { pastedText, selectAll } from "../clipboard.ts";
import type { Point } from "../document/index.ts";
import type { Scene } from "../scene.ts";
import { type SelectionAction, selectionActions } from "../selection-actions.ts";
import type { KeyActions } from "./keys.ts";

interface CanvasMenuProps {
  scene: Scene;
  workspaceId: string;
  /** The place in the window. `layoutGraph` is the same on the canvas. */
  at: Point;
  place: Point;
  acts: KeyActions;
  onClose: () => void;
}

type Row = SelectionAction | "line" | false;

/** The context menu of the canvas, for the selected steps or for an empty selection. */
export function CanvasMenu({ scene, workspaceId, at, place, acts, onClose }: CanvasMenuProps) {
  const { nodes, edges, notes } = scene.getView();
  const edits = !scene.readOnly;
  const mayPaste = edits && "clipboard" in navigator && "readText" in navigator.clipboard;
  // If the browser refuses to read the clipboard, users can still paste by key. That needs no permission.
  const paste = () =>
    void navigator.clipboard.readText().then(
      text => pastedText(scene, text),
      () => undefined,
    );
  const one = nodes.length === 1 ? nodes[0]! : undefined;
  const own = selectionActions(scene, workspaceId);
  const ofSteps: readonly Row[] = [
    own.copy,
    edits && own.cut,
    mayPaste && [words.paste, "mod v", paste],
    edits && own.duplicate,
    edits && "line",
    edits && one !== undefined && [words.connect, "c", () => scene.set({ prompt: { kind: "connect", source: one } })],
    edits && own.disable,
    edits && [words.addNote, "shift n", acts.note],
    edits && own.extract,
    edits && own.tidy,
  ];
  const ofCanvas: readonly Row[] = [
    edits && [
      words.addStep,
      "n",
      () => scene.set({ prompt: { kind: "add", where: { ...nextInsertPosition(scene), at: place } } }),
    ],
    mayPaste && [words.paste, "mod v", paste],
    edits && [words.addNote, "shift n", acts.note],
    edits && "line",
    [words.selectAll, "mod a", () => selectAll(scene)],
    edits && own.tidy,
    [words.fit, "1", acts.fit],
  ];
  const rows = nodes.length > 0 ? ofSteps : edges.length + notes.length > 0 ? [] : ofCanvas;
  const mayDelete = edits && nodes.length + edges.length + notes.length > 0;
  return (
    <PointMenu label={words.acts} {...at} onClose={onClose}>
      {rows.map((row, n) =>
        row === false ? null : row === "line" ? (
          <MenuSeparator key={n} />
        ) : (
          <MenuItem key={n} aside={<Keys keys={row[1]} />} onSelect={row[2]}>
            {row[0]}
          </MenuItem>
        ),
      )}
      {mayDelete && rows.length > 0 ? <MenuSeparator /> : null}
      {mayDelete ? (
        <MenuItem danger aside={<Keys keys="del" />} onSelect={() => removeSelected(scene)}>
          {words.remove}
        </MenuItem>
      ) : null}
    </PointMenu>
  );
}
