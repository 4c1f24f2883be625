import type { Happening } from "../../../core/run/advance.ts";
import { isFinal, type NodeState, type RunState } from "../../../core/run/state.ts";
import type { ExecutionDoc } from "../model.ts";
import { ExecutionJournal } from "./journal.ts";
import type { EngineParts } from "./parts.ts";

/** What the run that is retried had finished: results, and branches that were not taken. */
async function keptFrom(parts: EngineParts, workspaceId: string, executionId: string): Promise<Map<string, NodeState>> {
  const { nodes } = await new ExecutionJournal(parts.store, workspaceId, executionId).fold();
  return new Map([...nodes].filter(([, node]) => node.status === "skipped" || node.handle !== null));
}

/** What a claimed execution goes on with, from what its journal and its projection say. */
export async function happeningsOnClaim(parts: EngineParts, doc: ExecutionDoc, state: RunState): Promise<Happening[]> {
  if (isFinal(state.status)) return [];
  if (state.startedAt === null) {
    const kept = state.retryOf ? await keptFrom(parts, doc.workspaceId, state.retryOf) : undefined;
    return [{ kind: "begin", kept }];
  }
  const happenings: Happening[] = [];
  if (state.status === "running") happenings.push({ kind: "takeover", lost: doc.lost === true });
  if (doc.answer) happenings.push({ kind: "answer", ...doc.answer });
  const now = new Date().toISOString();
  for (const [nodeId, node] of state.nodes) {
    if (node.status === "waiting" && node.until && node.until <= now) happenings.push({ kind: "due", nodeId });
  }
  return happenings;
}
