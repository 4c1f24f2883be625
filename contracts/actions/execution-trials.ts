import { z } from "zod";
import { inSpace } from "../define-action.ts";
import { stepTest } from "../entities/execution.ts";
import { MAX_PREVIEWED, previewed, previewScope, runScope } from "../entities/preview.ts";
import { mocks, testRun, TRIAL_CALLS } from "../entities/test-run.ts";
import { versionNumber } from "../entities/workflow.ts";
import { count, id, json } from "../primitives.ts";

/** Actions that test a workflow, or a part of one, without a run. */
export const executionTrialsActions = {
  "executions.test": inSpace(
    "editor",
    {
      /** The id of the workflow. */
      id,
      nodeId: z.string().min(1).max(200),
      input: json.optional(),
      steps: z.record(z.string(), json).default({}),
      item: json.optional(),
      index: count(0).optional(),
      loop: json.optional().meta({ description: "`{index, carry}` of the loop around the step." }),
      version: versionNumber.optional(),
      definition: json.optional().meta({
        description: "An unsaved definition to use instead of the workflow's.",
      }),
      scope: z.strictObject(runScope).optional().meta({ description: "The source of values that are not given." }),
    },
    stepTest,
  ),
  /**
   * Runs a whole graph in memory. The graph is that of a workflow, or an unsaved definition. Errors: validation_failed,
   * not_found, workflow_trashed, unavailable when too many test runs are in progress.
   */
  "executions.testRun": inSpace(
    "editor",
    {
      workflowId: id.optional().meta({ description: "The workflow. Needed for samples, and without a definition." }),
      version: versionNumber.optional(),
      definition: json.optional().meta({
        description: "An unsaved definition to use instead of the workflow's.",
      }),
      input: json.default(null),
      trigger: z.record(z.string(), json).default({}).meta({ description: "The value of `trigger` in expressions." }),
      mocks: mocks.default({}).meta({
        description:
          "The mocks of steps, by step id: one mock for all performances of the step, or a list. Each performance uses the next mock of the list, and the last one is repeated.",
      }),
      samples: z.boolean().default(false).meta({
        description:
          "Uses samples of the workflow as mocks of steps that make outgoing calls or wait, and have no mock.",
      }),
      from: z.string().min(1).max(200).optional().meta({
        description:
          "The step to begin with. Steps before it are not performed; their outputs are their mocks or samples.",
      }),
      until: z.string().min(1).max(200).optional().meta({ description: "The step with which the run ends." }),
      calls: z.enum(TRIAL_CALLS).default("mocked").meta({
        description:
          "What happens at a step that makes outgoing calls and has no mock. `none`: its output is null. `mocked`: the run fails with `not_mocked`. `real`: it makes its calls.",
      }),
    },
    testRun,
  ),
  /** Evaluates texts as a step would, without their secrets. Errors: not_found. */
  "executions.preview": inSpace(
    "viewer",
    {
      /** The id of the workflow. */
      id,
      values: z
        .record(z.string().max(1_000), z.string())
        .refine(values => Object.keys(values).length <= MAX_PREVIEWED, `Must have at most ${MAX_PREVIEWED} entries`)
        .meta({
          maxProperties: MAX_PREVIEWED,
          description: "Texts with expressions. The caller chooses the keys, such as JSON Pointers.",
        }),
      scope: previewScope.prefault({}),
    },
    z.array(previewed),
  ),
};
