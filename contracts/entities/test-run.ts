import { z } from "zod";
import { json } from "../primitives.ts";
import { EXECUTION_STATUSES, executionError, LOG_LEVELS, path, suspension } from "./execution.ts";

const nodeId = z.string().min(1).max(200);

/** The most individual mocks of one step. */
const MAX_MOCKS_OF_STEP = 1_000;
const MAX_MOCKED_STEPS = 2_000;

/** The result of a step in a test run, instead of performing it. */
export const mock = z
  .strictObject({
    output: json.optional(),
    error: z
      .strictObject({ code: z.string().min(1).max(100), message: z.string().max(2_000).default("A mocked error.") })
      .optional(),
    handle: z.string().max(200).optional().meta({
      description: "The handle through which the run leaves the step. Default: the one that the output implies.",
    }),
  })
  .refine(({ output, error }) => (output === undefined) !== (error === undefined), "Give either `output` or `error`")
  .meta({ id: "Mock", oneOf: [{ required: ["output"] }, { required: ["error"] }] });
export type Mock = z.output<typeof mock>;

const EXPECTED_MOCK = "Expected `{output}` or `{error: {code}}`, each with a `handle` if need be, or a list of them";

/**
 * Either one mock for every performance of a step, or a list with one mock for each performance. The last mock of a
 * list repeats.
 */
export const mocks = z
  .record(nodeId, z.union([mock, z.array(mock).min(1).max(MAX_MOCKS_OF_STEP)], { error: EXPECTED_MOCK }))
  .refine(
    given => Object.keys(given).length <= MAX_MOCKED_STEPS,
    // A function, because formatting numbers loads data at its first use and would slow down the start.
    { error: () => `Must have at most ${MAX_MOCKED_STEPS.toLocaleString("en")} entries` },
  )
  .meta({ maxProperties: MAX_MOCKED_STEPS });
export type Mocks = z.output<typeof mocks>;

export const TRIAL_CALLS = ["none", "mocked", "real"] as const;
/** What a step without a mock does in a test run if it reaches outside of the run. */
export type TrialCalls = (typeof TRIAL_CALLS)[number];

export const testRunStep = z
  .object({
    nodeId: z.string(),
    nodeType: z.string(),
    path: path.optional(),
    status: z
      .enum(["completed", "failed", "skipped", "waiting", "running"])
      .meta({ description: "`running` means that the step was cut off when the run ended." }),
    attempts: z.int().min(0),
    mocked: z.boolean().meta({ description: "Whether a mock or a sample replaced the step." }),
    handle: z.string().nullable(),
    input: json
      .optional()
      .meta({ description: "The step's data with its expressions evaluated, if the step reaches outside." }),
    output: json,
    error: executionError.nullable(),
    log: z.array(z.object({ level: z.enum(LOG_LEVELS), message: z.string() })),
    durationMs: z.number().min(0).nullable(),
    truncated: z.boolean().optional().meta({ description: "True if the input or the output is cut off." }),
  })
  .meta({ id: "TestRunStep" });
export type TestRunStep = z.infer<typeof testRunStep>;

/** The result of running a whole graph in memory. Nothing is stored. */
export const testRun = z
  .object({
    status: z
      .enum(EXECUTION_STATUSES)
      .extract(["completed", "failed", "suspended"])
      .meta({ description: "`suspended`: the run waits for an answer or a signal that no mock gives." }),
    output: json,
    error: executionError.nullable(),
    suspension: suspension.optional(),
    steps: z.array(testRunStep),
    truncated: z.boolean().meta({ description: "Whether steps or parts of values are left out." }),
  })
  .meta({ id: "TestRun" });
export type TestRun = z.infer<typeof testRun>;
