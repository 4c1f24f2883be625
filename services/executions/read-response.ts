import type { Page } from "../../adapters/store/port.ts";
import { response, type Response } from "../../contracts/entities/execution.ts";
import type { WithStore } from "../../mixins/store.mixin.ts";
import type { ParsedDefinition } from "../../core/graph/parse-definition.ts";
import { Journal, journalRange, type ExecutionDoc, type JournalDoc } from "./model.ts";

const PAGE = 20;

/** The ids of the steps that set what a waiting caller gets. */
export function respondSteps({ graph }: ParsedDefinition): ReadonlySet<string> {
  const nodes = graph ? [...graph.byId.values()] : [];
  return new Set(nodes.filter(node => node.type === "respond").map(node => node.id));
}

/** What the last `respond` step that has run set; null while none has. Reads the journal from its end. */
export async function readResponse(
  { store }: WithStore,
  { workspaceId, id }: ExecutionDoc,
  steps: ReadonlySet<string>,
): Promise<Response | null> {
  const docs = store.tenant(Journal, workspaceId);
  const all = { id: journalRange(id) };
  for (let after: string | null = null; ;) {
    const page: Page<JournalDoc> = await docs.find(all, { sort: { id: -1 }, limit: PAGE, after });
    for (const { entries } of page.items) {
      const ran = entries.findLast(
        entry => entry.event === "step.completed" && entry.nodeId !== undefined && steps.has(entry.nodeId),
      );
      if (!ran || ran.event === "execution.created") continue;
      return response.parse({ ...(ran.input as object), body: ran.output ?? null });
    }
    after = page.next;
    if (!after) return null;
  }
}
