import type { Expressions, Scope } from "../../../adapters/expressions/index.ts";
import { jsonPointer } from "../../../contracts/json-pointer.ts";
import { ExpressionError } from "../../../core/expressions/expression-error.ts";
import type { FormCheck } from "../../../core/forms/check-form.ts";
import type { GraphNode } from "../../../core/graph/graph.ts";
import { NODE_TYPES, type NodeType, passingHandle } from "../../../core/graph/node-types.ts";
import { STEP_TIMEOUT, type StepResult } from "../../../core/run/entry.ts";
import { isTooLarge, MAX_OUTPUT_CHARS } from "../../../core/run/output-limit.ts";
import type { Abort } from "./abort.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";
import { STEPS } from "./steps/index.ts";
import { failed, timeoutOf, type StepContext } from "./steps/step.ts";

/** Steps that wait by asking for it, so that a time limit would mean nothing. */
const UNTIMED = new Set(["delay", "human", "map"]);

export interface Performance {
  node: GraphNode;
  scope: Scope;
  context: StepContext;
  /** Behind the context's signal: aborted by cancel and stop, and by the time-out here. */
  abort: Abort;
  expressions: Expressions;
  workspaceId: string;
}

/** Performs one step. Never throws: whatever goes wrong is a failed step. Synchronous where the step is. */
export function perform(performance: Performance): StepResult | Promise<StepResult> {
  try {
    const { node, context } = performance;
    if (node.disabled) return checked(passOn(node, context), performance);
    const resolved = resolve(performance);
    const result = isPromise<unknown>(resolved)
      ? resolved.then(data => dispatch(performance, data))
      : dispatch(performance, resolved);
    const check = (made: StepResult) => checked(made, performance);
    if (!isPromise<StepResult>(result)) return check(result);
    const settled = result.then(check).catch(failure);
    return UNTIMED.has(node.type) ? settled : limited(settled, performance);
  } catch (error) {
    return failure(error);
  }
}

/** What a step that is not performed gives: what came to it, as far as that may be kept. */
function passOn({ type, data }: GraphNode, context: StepContext): StepResult {
  const message = "The node is disabled: it passes on what comes to it.";
  const handle = passingHandle(type, data);
  return { kind: "done", output: context.input() ?? null, handle, logs: [{ level: "info", message }] };
}

const isBusy = (error: unknown) => error instanceof ExpressionError && error.code === "expression_busy";

/** The step's data. Synchronous where its expressions are. */
function resolve({ node, scope, expressions, workspaceId, abort }: Performance): unknown {
  const once = () => expressions.resolve(node.template, scope, { group: workspaceId });
  const resolved = once();
  if (!isPromise<unknown>(resolved)) return resolved;
  return resolved.catch((error: unknown) => {
    if (!isBusy(error)) throw error;
    return retryWhileBusy(once, isBusy, abort.signal);
  });
}

function dispatch({ node, context }: Performance, resolved: unknown): StepResult | Promise<StepResult> {
  const data = NODE_TYPES[node.type].data.safeParse(resolved);
  if (!data.success) {
    const [issue] = data.error.issues;
    return failed(
      "invalid_data",
      `${jsonPointer(["data", ...(issue?.path ?? [])])}: ${issue?.message ?? "not valid"}`,
      false,
    );
  }
  // The table pairs each name with its own data; the compiler cannot follow one name through both sides.
  const step = STEPS[node.type] as (data: unknown, context: StepContext) => StepResult | Promise<StepResult>;
  return step(data.data, context);
}

const isPromise = <T>(value: unknown): value is Promise<T> => value instanceof Promise;

async function limited(result: Promise<StepResult>, { node, abort }: Performance): Promise<StepResult> {
  const { timeoutMs: usual }: NodeType = NODE_TYPES[node.type];
  const timeoutMs = timeoutOf(node.policy, usual);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<StepResult>(resolve => {
    timer = setTimeout(() => {
      resolve(failed(STEP_TIMEOUT, `The step took longer than ${timeoutMs} ms.`));
      abort.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What may not be kept, or not be asked, is a failed step. */
function checked(result: StepResult, performance: Performance): StepResult | Promise<StepResult> {
  if (result.kind === "ask") return checkedForm(result, performance);
  if (result.kind === "iterate") return result;
  // The log of an attempt that failed says why; what it was made with is what it can do without.
  if (result.kind === "failed") return isTooLarge(result.input) ? { ...result, input: undefined } : result;
  const given = result.kind === "call" ? result.child.input : result.kind === "done" ? result.input : undefined;
  if (isTooLarge(given))
    return failed("output_too_large", `The input is larger than ${MAX_OUTPUT_CHARS / 1_024} KiB.`, false);
  if (result.kind === "call") return result;
  // A trigger, or a disabled node, at the start passes on the input of the run, which was taken with the run.
  const { type, disabled, in: before } = performance.node;
  const isStart = before.length === 0 && (type === "trigger" || disabled);
  if (isStart || !isTooLarge(result.output)) return result;
  return failed("output_too_large", `The output is larger than ${MAX_OUTPUT_CHARS / 1_024} KiB.`, false);
}

/** A form that is no schema is found out before anybody is asked to fill it in. */
function checkedForm(
  result: Extract<StepResult, { kind: "ask" }>,
  { expressions, workspaceId }: Performance,
): StepResult | Promise<StepResult> {
  const { form } = result.suspension;
  if (form === undefined) return result;
  const settle = ({ broken }: FormCheck) =>
    broken === undefined ? result : failed("invalid_data", `/data/form: ${broken}`, false);
  const proof = expressions.forms.prove(form, workspaceId);
  return isPromise<FormCheck>(proof) ? proof.then(settle, failure) : settle(proof);
}

function failure(error: unknown): StepResult {
  if (error instanceof ExpressionError) {
    const retryable = error.code === "expression_busy";
    return failed(error.code, error.path ? `/data${error.path}: ${error.reason}` : error.message, retryable);
  }
  return failed("step_crashed", error instanceof Error ? error.message : "The step failed without saying why.");
}
