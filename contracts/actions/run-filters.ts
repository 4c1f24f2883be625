import { z } from "zod";
import { executionStatus, TRIGGER_TYPES } from "../entities/execution.ts";
import { labels, runKey } from "../entities/run-identity.ts";
import { count, id, moment, several } from "../primitives.ts";

/**
 * The filters `startedBy`, `byKey`, `q`, `error` and `minMs` have no index. One page examines a few thousand runs, so it
 * may contain few or no runs although a next page exists.
 */
export const runFilters = {
  workflowId: id.optional(),
  status: several(executionStatus).optional(),
  trigger: z.enum(TRIGGER_TYPES).optional(),
  startedBy: id.optional(),
  byKey: z.boolean().optional().meta({
    description: "With `true`, only executions that an API key started or retried. With `false`, only the others.",
  }),
  key: runKey.optional().meta({ description: "Only executions with this key." }),
  label: labels.optional().meta({
    description: "Only executions with these labels, each given as `label.<name>=<value>`.",
  }),
  parentId: id.optional().meta({ description: "Only executions that a step of this execution has started." }),
  error: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: "Only executions that failed with this error code." }),
  minMs: count(0).optional().meta({ description: "Only executions that took, or have been running for, this long." }),
  q: z.string().min(1).max(200).optional().meta({
    description: "Text in the error, the question or the workflow's name, or the beginning of the id.",
  }),
  from: moment.optional().meta({ description: "Only executions created at or after this time." }),
  to: moment.optional().meta({ description: "Only executions created before this time." }),
};
