import type { Page } from "../../../adapters/store/port.ts";
import { response, type Response } from "../../../contracts/entities/execution.ts";
import { NODE_TYPES } from "../../../core/graph/node-types.ts";
import type { ParsedDefinition } from "../../../core/graph/parse-definition.ts";
import type { WithValues } from "./read-execution.ts";
import { Journal, journalRange, type ExecutionDoc, type JournalDoc } from "./model.ts";

const PAGE = 20;

/**
 * The ids of the steps that set the response for a waiting caller. A disabled step is excluded, because it only passes
 * on its input.
 */
export function respondSteps({ graph }: ParsedDefinition): ReadonlySet<string> {
  const nodes = graph ? [...graph.byId.values()] : [];
  return new Set(nodes.filter(node => NODE_TYPES[node.type].responds && !node.disabled).map(node => node.id));
}

/** The result of one read of the journal, and the place where the next read begins. */
interface Look {
  response: Response | null;
  from: number;
}

/**
 * The response that the last performed `respond` step set, or null. Reads the journal backwards down to `from`, because
 * earlier entries were read before.
 */
export async function readResponse(
  { store, values }: WithValues,
  { workspaceId, id }: ExecutionDoc,
  steps: ReadonlySet<string>,
  from: number,
): Promise<Look> {
  const docs = store.tenant(Journal, workspaceId);
  const unseen = { id: journalRange(id, from) };
  let seen = from;
  for (let after: string | null = null; ;) {
    const page: Page<JournalDoc> = await docs.find(unseen, { sort: { id: -1 }, limit: PAGE, after });
    for (const { seq, entries } of page.items) {
      seen = Math.max(seen, seq + 1);
      const ran = entries.findLast(
        entry => entry.event === "step.completed" && entry.nodeId !== undefined && steps.has(entry.nodeId),
      );
      if (!ran || ran.event === "execution.created") continue;
      const body = await values.shown(workspaceId, ran.output ?? null);
      return { response: response.parse({ ...(ran.input as object), body }), from: seen };
    }
    after = page.next;
    if (!after) return { response: null, from: seen };
  }
}
