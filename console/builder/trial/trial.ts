import type { Step } from "../../data/run-types.ts";
import type { Mock, TestRun, TrialCalls, TrialGiven } from "../../data/trial.ts";
import type { BuilderDocument } from "../document/index.ts";

/** A mock as the user typed it. */
export interface MockRow {
  nodeId: string;
  kind: "output" | "error";
  /** JSON for an output, a message for an error. */
  text: string;
}

export const newMock = (nodeId: string): MockRow => ({ nodeId, kind: "output", text: "{}" });

/**
 * The settings of a test run as the user typed them. They are not part of the document, and stay while the builder is
 * open.
 */
export interface TrialForm {
  input: string;
  calls: TrialCalls;
  samples: boolean;
  from: string;
  until: string;
  mocks: readonly MockRow[];
}

const forms = new WeakMap<BuilderDocument, TrialForm>();
export const rememberedForm = (doc: BuilderDocument): TrialForm | undefined => forms.get(doc);
export const rememberForm = (doc: BuilderDocument, form: TrialForm): void => void forms.set(doc, form);

const MOCKED_ERROR = "mocked";

const parsed = (text: string): { value: unknown } | undefined => {
  if (text.trim() === "") return { value: null };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
};

/**
 * Converts the form for the service. If a text is not valid JSON, it returns the places: `input`, or the index of a
 * mock.
 */
export function trialRequestOf(form: TrialForm): TrialGiven | { wrong: ReadonlySet<"input" | number> } {
  const wrong = new Set<"input" | number>();
  const input = parsed(form.input);
  if (!input) wrong.add("input");
  const mocks: Record<string, Mock> = {};
  form.mocks.forEach(({ nodeId, kind, text }, n) => {
    const output = kind === "output" ? parsed(text) : undefined;
    if (kind === "output" && !output) wrong.add(n);
    mocks[nodeId] = output
      ? { output: output.value }
      : { error: { code: MOCKED_ERROR, message: text || MOCKED_ERROR } };
  });
  if (wrong.size > 0) return { wrong };
  const { calls, samples, from, until } = form;
  return { input: input!.value, calls, samples, mocks, ...(from && { from }), ...(until && { until }) };
}

type TrialStep = TestRun["steps"][number];

const stepOf = (step: TrialStep): Step => ({
  nodeId: step.nodeId,
  name: step.nodeId,
  type: step.nodeType,
  ...(step.path && { path: step.path }),
  status: step.status,
  attempt: step.attempts,
  attempts: null,
  startedAt: null,
  finishedAt: null,
  durationMs: step.durationMs,
  handle: step.handle,
  error: step.error,
  outputBytes: null,
  preview: null,
});

/**
 * The result of each step, for the canvas. Among the items of a map or the rounds of a loop, it is the first that
 * failed, or else the first.
 */
export function stepsOf({ steps }: TestRun): ReadonlyMap<string, Step> {
  const shown = new Map<string, Step>();
  for (const step of steps) {
    const known = shown.get(step.nodeId);
    if (!known || (known.status !== "failed" && step.status === "failed")) shown.set(step.nodeId, stepOf(step));
  }
  return shown;
}
