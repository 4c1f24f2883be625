import { datefields, type JobParameters, toJobId } from "agenda";
import { Schema } from "../store/schema.ts";
import { defineCollection } from "../store/define-collection.ts";

/** What changes while a job lives: fields of their own, so that a state is saved without reading the rest. */
const STATE = {
  nextRunAt: Date,
  lockedAt: Date,
  lastRunAt: Date,
  lastFinishedAt: Date,
  failedAt: Date,
  failCount: Number,
  failReason: String,
  progress: Number,
  lastModifiedBy: String,
};

type State = {
  -readonly [K in keyof typeof STATE]?: JobParameters[K & keyof JobParameters] | null;
};

/** A job of Agenda's in the embedded store. */
export interface JobDoc extends State {
  id: string;
  name: string;
  disabled: boolean;
  /** The rest of Agenda's parameters. */
  definition: object;
}

const schema = new Schema({
  name: { type: String, required: true },
  disabled: { type: Boolean, required: true },
  ...STATE,
  definition: { type: String, json: true },
}).index({ name: 1, nextRunAt: 1 });

export const JobDocs = defineCollection<JobDoc>({ name: "jobs", schema, tenant: false });

const STATE_FIELDS = Object.keys(STATE) as (keyof State)[];

/** The fields that a state has, each of them, so that what is not set any more goes. */
export function stateOf(job: JobParameters): State {
  return Object.fromEntries(STATE_FIELDS.map(field => [field, job[field] ?? null]));
}

/** What stays the same while a job runs. */
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
