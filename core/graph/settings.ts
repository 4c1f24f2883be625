import { z } from "zod";
import { labelName, onConflict, type OnConflict } from "../../contracts/entities/run-identity.ts";
import { compileTemplates, type Template } from "../expressions/template.ts";
import type { ParseBudget } from "../expressions/parse.ts";
import { checkSecrets } from "./check-secrets.ts";
import type { Faults } from "./faults.ts";
import { type InputSchema, inputSchema } from "./input-schema.ts";

/** What happens to a run that exceeds the limit. */
const ON_LIMIT = ["queue", "skip", "cancel_oldest"] as const;
export type OnLimit = (typeof ON_LIMIT)[number];

/** The settings of a workflow for all its runs, at the top level of its definition. */
export interface Settings {
  /**
   * How many runs may be in progress at a time: of the whole workflow, or of the runs for which `key` gives the same
   * text.
   */
  concurrency?: { key?: Template | undefined; limit: number; onLimit: OnLimit } | undefined;
  /** A run that takes longer fails. Waiting counts. Time in the queue does not. */
  timeoutMs?: number | undefined;
  /** The workflow that is started once for each failed run, with that run as its input. */
  errorWorkflowId?: string | undefined;
  /** The key and the labels of a run. Their expressions read its input, its trigger and the variables of the space. */
  identity?: Template | undefined;
  /** What a start does if an open run already has the key. */
  onConflict?: OnConflict | undefined;
  /**
   * The schema of the input of a run that a user starts. A deployed workflow with it is a tool that takes this input.
   */
  inputSchema?: InputSchema | undefined;
}

/** A year. A longer limit is a mistake. */
const MAX_TIMEOUT_MS = 31_536_000_000;

/** The `settings` of a definition. */
export const settings = z.strictObject({
  concurrency: z
    .strictObject({
      key: z.string().min(1).max(1_000).optional(),
      limit: z.int().min(1).max(1_000),
      onLimit: z.enum(ON_LIMIT).default("queue"),
    })
    .optional(),
  timeoutMs: z.int().min(1).max(MAX_TIMEOUT_MS).optional(),
  errorWorkflowId: z.uuid().optional(),
  inputSchema: inputSchema.optional(),
  key: z.string().min(1).max(1_000).optional(),
  onConflict: onConflict.optional(),
  labels: z
    .record(labelName, z.string().max(1_000))
    .refine(given => Object.keys(given).length <= 20, "Must have at most 20 entries")
    .optional(),
});

/** The path of the key's template in a definition. */
export const KEY = ["settings", "concurrency", "key"];

/** Reads the `settings` of a definition and reports their faults. Invalid settings give an empty object. */
export function parseSettings(raw: unknown, faults: Faults, budget: ParseBudget): Settings {
  if (raw === undefined || raw === null) return {};
  const parsed = settings.safeParse(raw);
  if (!parsed.success) {
    faults.issues(null, ["settings"], parsed.error.issues);
    return {};
  }
  const { concurrency, key: runKey, labels, ...others } = parsed.data;
  const identity = runKey === undefined && !labels ? undefined : compileTemplates({ key: runKey, labels }, budget);
  for (const fault of identity?.faults ?? []) faults.addAt(null, ["settings"], fault.path, fault.message);
  if (identity) checkSecrets(null, ["settings"], identity, [], faults);
  const rest: Settings = { ...others, ...(identity && { identity }) };
  if (!concurrency) return rest;
  const key = concurrency.key === undefined ? undefined : compileTemplates(concurrency.key, budget);
  for (const fault of key?.faults ?? []) faults.addAt(null, KEY, fault.path, fault.message);
  if (key) checkSecrets(null, KEY, key, [], faults);
  return { ...rest, concurrency: { ...concurrency, key } };
}
