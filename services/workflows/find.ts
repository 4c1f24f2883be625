import { TimeSlices } from "../../adapters/time-slices.ts";
import { handle } from "../../contracts/call.ts";
import type { Found } from "../../contracts/entities/found.ts";
import { nameMatcher } from "../../core/search/name-matcher.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type WorkflowDoc, workflows } from "./model.ts";

/** Each document contains a definition, so only some are in memory at the same time. */
const AT_A_TIME = 20;
const MAX_SCANNED = 500;
/** The page searches while the user types, so a search that takes too long returns what it has found so far. */
const MAX_MS = 1_000;
const STEPS_PER_WORKFLOW = 5;

/** The steps of a definition. The definition may have faults. */
function stepsOf({ id, spaceId, name, definition }: WorkflowDoc): Found[] {
  const { nodes } = (definition ?? {}) as { nodes?: unknown };
  if (!Array.isArray(nodes)) return [];
  return (nodes as ({ id?: unknown; name?: unknown } | null)[]).flatMap(node => {
    if (typeof node?.id !== "string") return [];
    const title = typeof node.name === "string" && node.name !== "" ? node.name : node.id;
    return [{ type: "step" as const, id, spaceId, title, subtitle: name, nodeId: node.id }];
  });
}

/** Searches the names of workflows and steps for the words of a query, in the most recently changed workflows. */
export const find = handle<"workflows.find", WithStore>("workflows.find", async function (ctx) {
  const { workspaceId, q, limit } = ctx.params;
  const fits = nameMatcher(q);
  const all = this.store.tenant(workflows, workspaceId);
  const deadline = performance.now() + MAX_MS;
  const isLate = () => performance.now() >= deadline;
  const turns = new TimeSlices();
  const flows: Found[] = [];
  const steps: Found[] = [];
  let after: string | null = null;
  for (let scanned = 0; scanned < MAX_SCANNED && !isLate(); scanned += AT_A_TIME) {
    const options = { sort: { updatedAt: -1, id: -1 } as const, limit: AT_A_TIME, after };
    const page = await all.find({ status: "active", ...ALIVE }, options);
    for (const doc of page.items) {
      // A page can hold 20 definitions of thousands of steps each.
      if (isLate()) break;
      const { id, spaceId, name: title, description } = doc;
      const flow: Found = { type: "workflow", id, spaceId, title, subtitle: description || null };
      if (flows.length < limit && fits(flow) > 0) flows.push(flow);
      // A match of the workflow's name does not make its steps a match.
      const matching = stepsOf(doc).filter(step => fits({ title: step.title, subtitle: step.nodeId ?? null }) > 0);
      if (steps.length < limit) steps.push(...matching.slice(0, STEPS_PER_WORKFLOW));
      await turns.next();
    }
    after = page.next;
    if (after === null) break;
  }
  return { items: [...flows, ...steps] };
});
