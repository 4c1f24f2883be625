import { words } from "../../messages/en-builder.ts";
import { edgeLabel } from "../../messages/en-steps.ts";
import { compensationOf, type DocumentState, nameOf } from "../document/index.ts";
import type { Look, ThreadEdge } from "./drawn.ts";
import type { Sharing } from "./sharing.ts";

/** The place on a step at which the thread to the step that undoes it begins. No other thread begins there. */
export const UNDO = "undo";

/**
 * A thread from each step to the one that undoes it, where both are shown. It is no edge of the document, so it can be
 * neither selected nor connected: the policy of the step names its target.
 */
export function undoThreads(
  state: DocumentState,
  look: Look,
  shown: ReadonlySet<string>,
  threads: Sharing<ThreadEdge>,
): ThreadEdge[] {
  return [...state.nodes].flatMap(([source, node]) => {
    const target = compensationOf(node);
    if (target === undefined || !shown.has(source) || !shown.has(target)) return [];
    const begun = (look.steps.get(target)?.startedAt ?? null) !== null;
    const ariaLabel = `${words.handle(UNDO)}: ${edgeLabel(nameOf(state, source), nameOf(state, target))}`;
    const key = `${UNDO} ${source}`;
    return [
      threads.make(key, [target, begun, ariaLabel], () => ({
        id: key,
        type: "thread",
        source,
        target,
        sourceHandle: UNDO,
        ariaLabel,
        selectable: false,
        deletable: false,
        reconnectable: false,
        data: {
          ...{ handle: UNDO, title: words.handle(UNDO), state: begun ? ("taken" as const) : undefined },
          ...{ mark: undefined, hovered: false, readOnly: true },
        },
      })),
    ];
  });
}
