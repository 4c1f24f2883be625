import { z } from "zod";
import { compileTemplates, type Template } from "../expressions/template.ts";
import type { ParseBudget } from "../expressions/parse.ts";
import type { Faults } from "./faults.ts";
import { type InputSchema, inputSchema } from "./input-schema.ts";

/** What becomes of a run that would be one too many. */
const ON_LIMIT = ["queue", "skip", "cancel_oldest"] as const;
export type OnLimit = (typeof ON_LIMIT)[number];

/** What a workflow says about its runs as a whole, at the top level of its definition. */
export interface Settings {
  /** How many of its runs go on at a time: in all, or of those for which `key` gives the same text. */
  concurrency?: { key?: Template | undefined; limit: number; onLimit: OnLimit } | undefined;
  /** A run that goes on for longer fails; what it waits for counts too, the time in the queue does not. */
  timeoutMs?: number | undefined;
  /** Started once for each run that failed, with that run as its input. */
  errorWorkflowId?: string | undefined;
  /** What a run that somebody starts takes as its input. Once deployed, the workflow is a tool that takes this. */
  inputSchema?: InputSchema | undefined;
}

/** A year: beyond it a limit is a mistake. */
const MAX_TIMEOUT_MS = 31_536_000_000;

const settings = z.strictObject({
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
});

/** Where the template of the key stands in a definition. */
export const KEY = ["settings", "concurrency", "key"];

/** Reads the `settings` of a definition; what is wrong with them goes to the faults, and no settings come back. */
export function parseSettings(raw: unknown, faults: Faults, budget: ParseBudget): Settings {
  if (raw === undefined || raw === null) return {};
  const parsed = settings.safeParse(raw);
  if (!parsed.success) {
    faults.issues(null, ["settings"], parsed.error.issues);
    return {};
  }
  const { concurrency, ...rest } = parsed.data;
  if (!concurrency) return rest;
  const key = concurrency.key === undefined ? undefined : compileTemplates(concurrency.key, budget);
  for (const fault of key?.faults ?? []) faults.addAt(null, KEY, fault.path, fault.message);
  return { ...rest, concurrency: { ...concurrency, key } };
}
