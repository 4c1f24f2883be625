import type { Edge, Node } from "@xyflow/react";
import { type MouseEvent, useMemo, useState } from "react";
import type { Point } from "../document/index.ts";
import type { Scene } from "../scene.ts";
import { isNote, noteId } from "./notes.ts";

/**
 * Where the context menu of the canvas is open, in the window. A press on something that is not selected selects it
 * first.
 */
export function useMenu(scene: Scene) {
  const [at, setAt] = useState<Point>();
  const props = useMemo(() => {
    const open = (event: { preventDefault: () => void; clientX: number; clientY: number }) => {
      event.preventDefault();
      setAt({ x: event.clientX, y: event.clientY });
    };
    return {
      onNodeContextMenu(event: MouseEvent, { id }: Node) {
        const { nodes, notes } = scene.getView();
        if (isNote(id)) {
          if (!notes.includes(noteId(id))) scene.set({ nodes: [], edges: [], notes: [noteId(id)] });
        } else if (!nodes.includes(id)) scene.select([id]);
        open(event);
      },
      onEdgeContextMenu(event: MouseEvent, { id }: Edge) {
        scene.set({ nodes: [], edges: [id], notes: [] });
        open(event);
      },
      onSelectionContextMenu: open,
      onPaneContextMenu(event: MouseEvent | globalThis.MouseEvent) {
        scene.select([]);
        open(event);
      },
    };
  }, [scene]);
  return { at, close: () => setAt(undefined), props };
}
