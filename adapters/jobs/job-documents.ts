import { datefields, type JobParameters, toJobId } from "agenda";
import { defineCollection, type DocumentOf } from "../store/define-collection.ts";
import { boolean, date, type FieldsOf, json, number, optionalOrNull, string } from "../store/field-types.ts";

/** The fields that change during the life of a job. As separate fields, they are saved without reading the rest. */
const STATE = {
  nextRunAt: optionalOrNull(date()),
  lockedAt: optionalOrNull(date()),
  lastRunAt: optionalOrNull(date()),
  lastFinishedAt: optionalOrNull(date()),
  failedAt: optionalOrNull(date()),
  failCount: optionalOrNull(number()),
  failReason: optionalOrNull(string()),
  progress: optionalOrNull(number()),
  lastModifiedBy: optionalOrNull(string()),
};
type State = FieldsOf<typeof STATE>;

/** A job of Agenda in the embedded store. */
export const JobDocs = defineCollection({
  name: "jobs",
  tenant: false,
  fields: {
    name: string(),
    disabled: boolean(),
    ...STATE,
    /** Agenda's other parameters of the job. */
    definition: json<object>(),
  },
  indexes: [[{ name: 1, nextRunAt: 1 }]],
});
export type JobDoc = DocumentOf<typeof JobDocs>;

const STATE_FIELDS = Object.keys(STATE) as (keyof State)[];

/** All state fields, unset ones as null, so that saving them also clears values that are no longer set. */
export function stateOf(job: JobParameters): State {
  return Object.fromEntries(STATE_FIELDS.map(field => [field, job[field] ?? null]));
}

/** The parameters that do not change while a job runs. */
export function definitionOf(job: JobParameters): Record<string, unknown> {
  const apart = new Set<string>(["_id", "name", "disabled", ...STATE_FIELDS]);
  return Object.fromEntries(Object.entries(job).filter(([field]) => !apart.has(field)));
}

export function toJob({ id, definition, name, disabled, ...state }: JobDoc): JobParameters {
  const job: Record<string, unknown> = { ...definition, _id: toJobId(id), name, disabled };
  for (const field of STATE_FIELDS) job[field] = state[field] ?? (field === "nextRunAt" ? null : undefined);
  for (const field of datefields) if (typeof job[field] === "string") job[field] = new Date(job[field]);
  return job as unknown as JobParameters;
}
