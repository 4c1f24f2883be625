import { type EdgeChange, type NodeChange, useStoreApi } from "@xyflow/react";
import { type PointerEvent, useCallback } from "react";
import type { Scene } from "../scene.ts";
import type { StepEdge, StepNode as Node } from "./drawn.ts";
import { endDrag } from "./end-drag.ts";
import { isNote, noteId, noteKey } from "./notes.ts";

/** The ids that stay selected after React Flow reports a click or a selection box. */
function reselected(before: readonly string[], changes: readonly (NodeChange<Node> | EdgeChange<StepEdge>)[]) {
  const chosen = new Set(before);
  for (const change of changes) {
    if (change.type !== "select") continue;
    if (change.selected) chosen.add(change.id);
    else chosen.delete(change.id);
  }
  return [...chosen];
}

/** Applies what the pointer selects and drags on the canvas. */
export function useChanges(scene: Scene) {
  const flow = useStoreApi();
  const onNodesChange = useCallback(
    (changes: NodeChange<Node>[]) => {
      const before = scene.getView();
      if (changes.some(({ type }) => type === "select")) {
        const all = reselected([...before.nodes, ...before.notes.map(id => noteKey(id))], changes);
        const [notes, chosen] = [all.filter(isNote).map(noteId), all.filter(id => !isNote(id))];
        // React Flow reports edges first. An edge that was just selected stays selected.
        if (chosen.length > 0 || notes.length > 0) scene.select(chosen);
        scene.set({ nodes: chosen, notes });
      }
      const moves = changes.flatMap(change =>
        change.type === "position" && change.dragging && change.position ? [[change.id, change.position] as const] : [],
      );
      if (moves.length > 0) scene.set({ dragged: new Map([...(before.dragged ?? []), ...moves]) });
    },
    [scene],
  );
  const onEdgesChange = useCallback(
    (changes: EdgeChange<StepEdge>[]) => {
      // A selection box selects steps. React Flow also reports their edges as selected.
      if (flow.getState().userSelectionActive || !changes.some(({ type }) => type === "select")) return;
      const edges = reselected(scene.getView().edges, changes);
      scene.set(edges.length > 0 ? { edges, nodes: [], notes: [] } : { edges });
    },
    [scene, flow],
  );
  const drop = useCallback(() => endDrag(scene), [scene]);
  // React Flow's own listener would notify all its parts at each of these keys, including those of shortcuts.
  const onPointerDownCapture = useCallback(
    ({ shiftKey, metaKey, ctrlKey }: PointerEvent) => {
      const multiSelectionActive = shiftKey || metaKey || ctrlKey;
      if (multiSelectionActive !== flow.getState().multiSelectionActive) flow.setState({ multiSelectionActive });
    },
    [flow],
  );
  return { onNodesChange, onEdgesChange, drop, onPointerDownCapture };
}
