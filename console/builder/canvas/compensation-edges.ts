import { words } from "../../messages/en-builder.ts";
import { edgeLabel } from "../../messages/en-steps.ts";
import { compensationOf, type DocumentState, nameOf } from "../document/index.ts";
import type { Look, StepEdge } from "./drawn.ts";
import type { KeyedMemo } from "./keyed-memo.ts";

/** The handle at which the edge to a compensating step starts. No other edge starts there. */
export const COMPENSATION_HANDLE = "undo";

/**
 * Draws an edge from each step to the one that compensates for it, if both are shown. These edges cannot be selected or
 * connected, because they are not in the document: the policy of the step names the other one.
 */
export function compensationEdges(
  state: DocumentState,
  look: Look,
  shown: ReadonlySet<string>,
  edges: KeyedMemo<StepEdge>,
): StepEdge[] {
  return [...state.nodes].flatMap(([source, node]) => {
    const target = compensationOf(node);
    if (target === undefined || !shown.has(source) || !shown.has(target)) return [];
    const begun = (look.steps.get(target)?.startedAt ?? null) !== null;
    const ariaLabel = `${words.handle(COMPENSATION_HANDLE)}: ${edgeLabel(nameOf(state, source), nameOf(state, target))}`;
    const key = `${COMPENSATION_HANDLE} ${source}`;
    return [
      edges.make(key, [target, begun, ariaLabel], () => ({
        id: key,
        type: "edge",
        source,
        target,
        sourceHandle: COMPENSATION_HANDLE,
        ariaLabel,
        selectable: false,
        deletable: false,
        reconnectable: false,
        data: {
          ...{
            handle: COMPENSATION_HANDLE,
            title: words.handle(COMPENSATION_HANDLE),
            state: begun ? ("taken" as const) : undefined,
          },
          ...{ mark: undefined, hovered: false, aimed: false, raised: true, readOnly: true },
        },
      })),
    ];
  });
}
