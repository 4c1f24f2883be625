import { z } from "zod";

/** The longest key of a run. */
export const MAX_RUN_KEY = 200;
const MAX_LABELS = 20;

/** A caller's name for a run, such as an order number. At most one open run of a workflow has a given key. */
export const runKey = z.string().min(1).max(MAX_RUN_KEY);

export const labelName = z
  .string()
  .regex(/^[A-Za-z][\w-]{0,49}$/, "Expected a letter, then up to 49 letters, digits, `_` or `-`");
export const labelValue = z.string().max(200);

export const labels = z
  .record(labelName, labelValue)
  .refine(given => Object.keys(given).length <= MAX_LABELS, `Must have at most ${MAX_LABELS} entries`)
  .meta({ maxProperties: MAX_LABELS });
export type Labels = z.infer<typeof labels>;

/** What a start does when an open run has its key. */
export const ON_CONFLICT = ["return", "reject", "cancel"] as const;
export const onConflict = z.enum(ON_CONFLICT);
export type OnConflict = z.infer<typeof onConflict>;
