import { z } from "zod";
import { limitsUsed } from "./limits-used.ts";
import { timestamp } from "../primitives.ts";

/**
 * The amounts that operators limit for a workspace. `period`: when the count restarts, in UTC. Quotas without a period
 * limit what exists at the same time.
 */
export const QUOTAS = {
  executions_per_day: { period: "day", what: "runs that were started in a workspace in a day" },
  executions_per_month: { period: "month", what: "runs that were started in a workspace in a month" },
  executions_at_once: { period: null, what: "unfinished runs in a workspace, also those that wait" },
  steps_per_month: { period: "month", what: "steps that ended in a workspace in a month" },
  model_tokens_per_month: { period: "month", what: "tokens of models that a workspace used in a month" },
  members: { period: null, what: "members of a workspace" },
  files: { period: null, what: "files and large outputs in a workspace" },
  file_bytes: { period: null, what: "bytes of files and large outputs in a workspace" },
  memories: { period: null, what: "memories in a workspace" },
} as const satisfies Record<string, { period: "day" | "month" | null; what: string }>;
export type QuotaName = keyof typeof QUOTAS;
/** The quotas that limit what exists at the same time. */
export type LevelName = { [N in QuotaName]: (typeof QUOTAS)[N]["period"] extends null ? N : never }[QuotaName];
export const QUOTA_NAMES = Object.keys(QUOTAS) as [QuotaName, ...QuotaName[]];
const quotaName = z.enum(QUOTA_NAMES);
export const levelName = z.enum(QUOTA_NAMES.filter(name => QUOTAS[name].period === null) as LevelName[]);

/** A value that means no quota. Limits have at most 12 digits. */
export const UNLIMITED = 999_999_999_999;
/** The largest quota of concurrent runs. */
export const MAX_AT_ONCE = 1_000;

const amount = z.int().min(0).max(UNLIMITED);

/** The quotas that apply to one workspace. */
export const quotas = z.record(quotaName, amount);
export type Quotas = z.infer<typeof quotas>;

/** The quotas that operators set for one workspace. Others come from `LIMITS`. */
export const quotaChanges = z
  .partialRecord(quotaName, amount.nullable())
  .refine(
    given => (given.executions_at_once ?? 0) <= MAX_AT_ONCE,
    `Expected at most ${MAX_AT_ONCE} for executions_at_once`,
  )
  .meta({ description: "The quotas to set. Null resets a quota to the value of the installation." });

/** The usage in a period. */
const used = {
  ...{ executions: z.int(), steps: z.int(), modelTokens: z.int() },
  ownModelTokens: z
    .int()
    .meta({ description: "Tokens of the workspace's own providers. They count towards no quota." }),
};

export const usage = limitsUsed
  .extend({
    quotas: z.array(
      z.object({
        name: quotaName,
        used: z.int().nullable().meta({ description: "Null if the service that counts it did not respond." }),
        allowed: z.int().nullable().meta({ description: "Null if there is no quota." }),
        renewsAt: timestamp.nullable().meta({ description: "When the count restarts." }),
      }),
    ),
    days: z
      .array(z.object({ day: z.iso.date(), ...used }))
      .meta({ description: "The last 31 days, in UTC, oldest first. Days without usage are left out." }),
  })
  .meta({ id: "Usage", description: "What a workspace has used, and what it may use." });
export type Usage = z.infer<typeof usage>;
