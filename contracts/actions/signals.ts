import { z } from "zod";
import { action, inWorkspace, orKeyScope } from "../define-action.ts";
import { trigger } from "../entities/execution.ts";
import { count, json, nothing, timestamp } from "../primitives.ts";

const DAY_MS = 86_400_000;
/** The longest time that a signal is kept for steps that do not wait yet. */
const MAX_SIGNAL_TTL_MS = 30 * DAY_MS;

/** What a call of the address of a step would do now. `open`: it ends the wait, or will do so once the step waits. */
export const resumeState = z.enum(["open", "used", "expired", "over", "unknown"]);
export type ResumeState = z.infer<typeof resumeState>;

const token = z.string().min(1).max(2_000);

export const signalsActions = {
  /** The question of a signed link. This does not answer it. Errors: link_invalid. */
  "executions.link.read": action(
    "public",
    { token },
    z.object({
      prompt: z.string(),
      form: json.optional(),
      expiresAt: timestamp.nullable(),
      askedAt: timestamp,
      createdAt: timestamp.meta({ description: "When the run was created." }),
      trigger: trigger.pick({ type: true }),
      workflowName: z.string().optional(),
      to: z.string().optional().meta({ description: "The e-mail address that the link is for." }),
    }),
  ),
  /** Answers the question of a signed link, once. Errors: link_invalid, validation_failed. */
  "executions.link.answer": action("public", { token, approved: z.boolean(), data: json.optional() }, nothing),
  /**
   * Gives `data` to every run that waits for this signal, or keeps it for the first run that will. Sending the same
   * `id` again changes nothing. Errors: validation_failed when all waiting steps refuse the data, limit_reached.
   */
  "executions.signal": orKeyScope(
    "signal",
    inWorkspace(
      "editor",
      {
        name: z.string().min(1).max(200).meta({ description: "The `event` of the steps that wait." }),
        key: z.string().min(1).max(200).optional(),
        data: json.default(null),
        id: z
          .string()
          .min(1)
          .max(200)
          .optional()
          .meta({ description: "Identifies the signal, so that a repeat has no effect." }),
        ttlMs: z.int().min(1).max(MAX_SIGNAL_TTL_MS).default(DAY_MS).meta({
          description: "How long the signal is kept while no step waits for it.",
        }),
      },
      z.object({
        delivered: count(0).meta({ description: "How many steps received it." }),
        kept: z.boolean().meta({ description: "True if no step waits for it yet." }),
      }),
    ),
  ),
  /** Ends the wait of the step at this address, once. Errors: link_invalid. */
  "executions.resume": action(
    "public",
    { token, data: json.default(null) },
    z.object({
      resumed: z
        .boolean()
        .meta({ description: "False if the step does not wait yet. It then gets the data when it begins to wait." }),
    }),
  ),
  /**
   * Whether these headers contain the credential that the step of the address demands. If `demanded` is false, everyone
   * may call the address. `challenge` is the value for `WWW-Authenticate`. With `needsBody`, the headers contain a
   * signature, which can be checked only with the body; it is then sent as base64. Errors: unavailable when the
   * credential cannot be opened.
   */
  "executions.resume.admit": action(
    "internal",
    { token, headers: z.record(z.string(), z.string()), body: z.string().optional() },
    z.object({
      admitted: z.boolean(),
      demanded: z.boolean(),
      challenge: z.string().optional(),
      needsBody: z.boolean().optional(),
    }),
    { reads: true },
  ),
  /** The data for the page at the address of a step. `step` is its name. */
  "executions.resume.read": action(
    "internal",
    { token },
    z.object({ state: resumeState, step: z.string().optional() }),
    { reads: true },
  ),
};
