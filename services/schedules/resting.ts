import { call } from "../../contracts/call.ts";
import type { RestingReason } from "../../contracts/entities/schedule.ts";
import type { ScheduleDoc } from "./model.ts";

/**
 * Returns a function that returns why a schedule rests, or null if it does not rest. A schedule rests while its
 * workflow is in the trash or deleted. Schedules do not store the state of their workflow, so each call reads it.
 */
export async function restingReasons(
  from: { call: unknown },
  docs: readonly ScheduleDoc[],
): Promise<(doc: ScheduleDoc) => RestingReason | null> {
  const bySpace = [...Map.groupBy(docs, doc => doc.spaceId).values()];
  const states = await Promise.all(
    bySpace.map(inSpace => {
      const [{ workspaceId, spaceId }] = inSpace as [ScheduleDoc];
      const ids = [...new Set(inSpace.map(doc => doc.workflowId))];
      return call(from, "workflows.states", { workspaceId, spaceId, ids });
    }),
  );
  const active = new Set(states.flatMap(state => state.active));
  const trashed = new Set(states.flatMap(state => state.trashed));
  return ({ workflowId }) => {
    if (active.has(workflowId)) return null;
    return trashed.has(workflowId) ? "workflow_trashed" : "workflow_deleted";
  };
}
