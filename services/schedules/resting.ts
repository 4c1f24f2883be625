import { call } from "../../contracts/call.ts";
import type { RestingReason } from "../../contracts/entities/schedule.ts";
import type { ScheduleDoc } from "./model.ts";

/**
 * Why schedules of one space rest, by their workflow's id; null for those that do not rest. It is read each time,
 * because schedules do not store the state of their workflow.
 */
export async function restingReasons(
  from: { call: unknown },
  docs: readonly ScheduleDoc[],
): Promise<(doc: ScheduleDoc) => RestingReason | null> {
  const [first] = docs;
  if (!first) return () => null;
  const ids = [...new Set(docs.map(doc => doc.workflowId))];
  const { workspaceId, spaceId } = first;
  const { active, trashed } = await call(from, "workflows.states", { workspaceId, spaceId, ids });
  return ({ workflowId }) => {
    if (active.includes(workflowId)) return null;
    return trashed.includes(workflowId) ? "workflow_trashed" : "workflow_deleted";
  };
}
