import type { Collection } from "../../adapters/store/port.ts";
import { namesOf } from "../../service-kit/names.ts";
import { fillSlugs } from "../../service-kit/slugs.ts";
import type { ScheduleDoc } from "./model.ts";

/** The slug of a schedule if its workflow's name contains no Latin letter and no digit. */
export const SLUG_FALLBACK = "schedule";

/** The names of the schedules' workflows, from which their slugs are made. Empty if they cannot be read. */
export async function workflowNames(from: { call: unknown }, docs: readonly ScheduleDoc[]): Promise<string[]> {
  const [first] = docs;
  if (!first) return [];
  const names = await namesOf(from, first.workspaceId, { workflows: docs.map(({ workflowId }) => workflowId) });
  return docs.map(({ workflowId }) => names.workflow(workflowId) ?? "");
}

/** Adds slugs to schedules of earlier versions. */
export async function withSlugs(
  from: { call: unknown },
  all: Collection<ScheduleDoc>,
  docs: readonly ScheduleDoc[],
): Promise<ScheduleDoc[]> {
  const missing = docs.filter(({ slug }) => !slug);
  if (missing.length === 0) return [...docs];
  const names = await workflowNames(from, missing);
  const byId = new Map(missing.map(({ id }, index) => [id, names[index] ?? ""]));
  return fillSlugs(all, docs, ({ id }) => byId.get(id) ?? "", SLUG_FALLBACK);
}
