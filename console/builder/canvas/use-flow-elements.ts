import { useMemo, useState } from "react";
import type { DocumentState, Ends } from "../document/index.ts";
import { openedIn } from "../opened-container.ts";
import type { Scene } from "../scene.ts";
import { FlowElements } from "./flow-elements.ts";
import { edgeUnder } from "./edge-under.ts";
import type { Look, StepNode } from "./drawn.ts";
import { noteNodes } from "./notes.ts";
import { refusedTargets } from "./use-edge-pointer.ts";
import { useView } from "./use-view.ts";

interface Shown extends Pick<
  Look,
  "boxes" | "steps" | "faults" | "warnings" | "pinned" | "marks" | "edgeMarks" | "hoveredEdge"
> {
  connecting: Omit<Ends, "target"> | undefined;
}

/**
 * The nodes and edges that React Flow draws for a scene. The lists stay the same objects until something in them
 * changes, because React Flow processes every node, edge and handle of a new list.
 */
export function useFlowElements(scene: Scene, state: DocumentState, shown: Shown) {
  const view = useView(scene);
  const [picture] = useState(() => new FlowElements());
  const { boxes, steps, faults, warnings, pinned, marks, edgeMarks, hoveredEdge, connecting } = shown;
  const { types, typeOf, handles, readOnly } = scene;
  const { collapsed, notes, dragged, writing } = view;
  const opened = openedIn(scene);
  const aimedEdge = dragged ? edgeUnder(scene)?.edge : undefined;
  const selected = useMemo(() => new Set(view.nodes), [view.nodes]);
  const selectedEdges = useMemo(() => new Set(view.edges), [view.edges]);
  const dimmed = useMemo(() => refusedTargets(scene, state, connecting), [scene, state, connecting]);
  return useMemo(() => {
    const look: Look = {
      ...{ typeOf, handles, boxes, selected, selectedEdges, hoveredEdge, steps, faults, dimmed, marks, edgeMarks },
      ...{ collapsed, opened, readOnly, warnings, pinned, aimedEdge },
    };
    const drawn = picture.nodes(state, look);
    const edges = picture.edges(state, look, new Set(drawn.map(({ id }) => id)));
    const written = noteNodes(scene, state, notes);
    return { nodes: written.length === 0 ? drawn : ([...written, ...drawn] as StepNode[]), edges };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `types`, `dragged` and `writing` are read by what is called
  }, [
    picture,
    scene,
    state,
    types,
    typeOf,
    handles,
    boxes,
    selected,
    selectedEdges,
    hoveredEdge,
    aimedEdge,
    steps,
    faults,
    warnings,
    pinned,
    dimmed,
    marks,
    edgeMarks,
    collapsed,
    opened,
    readOnly,
    notes,
    dragged,
    writing,
  ]);
}
