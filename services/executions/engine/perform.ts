import type { Expressions, Scope } from "../../../adapters/expressions/index.ts";
import { errorCode } from "../../../contracts/errors.ts";
import { messageOf } from "../../../contracts/issue-message.ts";
import { jsonPointer } from "../../../contracts/json-pointer.ts";
import { ExpressionError } from "../../../core/expressions/expression-error.ts";
import type { FunctionContext } from "../../../core/expressions/function-context.ts";
import type { Template } from "../../../core/expressions/template.ts";
import type { FormCheck } from "../../../core/forms/check-form.ts";
import type { GraphNode } from "../../../core/graph/graph.ts";
import { NODE_TYPES, type NodeType, passingHandle } from "../../../core/graph/node-types.ts";
import { STEP_TIMEOUT, type StepResult } from "../../../core/run/entry.ts";
import { MAX_SLOWDOWN, isTooLarge } from "../../../core/run/step-limits.ts";
import type { Abort } from "./abort.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";
import { scopeFor } from "./step-scope.ts";
import { STEPS } from "./steps/index.ts";
import { StepFailure } from "./steps/secrets.ts";
import { failed, type EvaluateLater, timeoutOf, type StepContext } from "./steps/step.ts";

export interface StepPerformance {
  node: GraphNode;
  scope: Scope;
  context: StepContext;
  /** The controller of the context's signal. A cancel, a stop and the time limit of the step abort it. */
  abort: Abort;
  expressions: Expressions;
  workspaceId: string;
  /** The time and the random seed for the functions of expressions. Without it, they read the current time. */
  moment?: () => FunctionContext | undefined;
  /** What a test run does instead of the step, with the step's evaluated data. */
  instead?: ((data: unknown) => StepResult | Promise<StepResult>) | undefined;
  /** Loads the large values that a template reads. Without it, the scope has none. */
  load?: ((template: Template, scope: Scope) => Promise<Scope>) | undefined;
  /** The longest time that the step may take, in ms. It overrides a longer limit of the policy. */
  mostMs?: number;
}

/**
 * Performs one step. Never throws: every error becomes a failed step. Returns synchronously if the step is synchronous.
 * The result contains none of the secrets that the step used.
 */
export function perform(performance: StepPerformance): StepResult | Promise<StepResult> {
  const { secrets } = performance.context;
  const result = performOpenly(performance);
  const finish = (made: StepResult) => kept(secrets.mask(made), performance);
  return isPromise<StepResult>(result) ? result.then(finish) : finish(result);
}

/** Moves parts that are too large for the journal to the file store. A test of a step stores nothing. */
function kept(result: StepResult, { context }: StepPerformance): StepResult | Promise<StepResult> {
  if (context.dry) return result;
  const { values } = context.parts;
  const keep = (value: unknown, place: (kept: unknown) => StepResult) =>
    isTooLarge(value) ? values.keep(context.doc, value).then(place, notStored) : result;
  if (result.kind === "done" || result.kind === "wait") return keep(result.output, output => ({ ...result, output }));
  if (result.kind === "round") return keep(result.carry, carry => ({ ...result, carry }));
  if (result.kind === "call")
    return keep(result.child.input, input => ({ ...result, child: { ...result.child, input } }));
  return result;
}

/** The failure of a step whose values cannot be stored or read. */
export function notStored(error: unknown): StepResult {
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : "The output could not be stored.";
  if (code === "payload_too_large") return failed("output_too_large", message, false);
  return failed(code ?? "step_crashed", message, code === "unavailable");
}

function performOpenly(performance: StepPerformance): StepResult | Promise<StepResult> {
  try {
    const { node, context } = performance;
    if (node.disabled) return checked(passOn(node, context), performance);
    const resolved = resolve(performance);
    const result = isPromise<unknown>(resolved)
      ? resolved.then(data => dispatch(performance, data))
      : dispatch(performance, resolved);
    if (!isPromise<StepResult>(result)) return checked(result, performance);
    const settled = result.then(made => checked(made, performance)).catch(failure);
    return NODE_TYPES[node.type].untimed ? settled : limited(settled, performance);
  } catch (error) {
    return failure(error);
  }
}

/** The result of a disabled node, which passes on its input. */
function passOn({ type, data }: GraphNode, context: StepContext): StepResult {
  const message = "The node is disabled: it passes on what comes to it.";
  const handle = passingHandle(type, data);
  return { kind: "done", output: context.input() ?? null, handle, logs: [{ level: "info", message }] };
}

const isBusy = (error: unknown) => error instanceof ExpressionError && error.code === "expression_busy";

/** Evaluates the step's data. Returns synchronously if its expressions are synchronous. */
function resolve(
  performance: StepPerformance,
  template = performance.node.template,
  scope = performance.scope,
): unknown {
  const { doc, parts, secrets } = performance.context;
  const own = scopeFor(template, scope, doc, { broker: parts.broker, secrets });
  return isPromise<Scope>(own)
    ? own.then(whole => resolveIn(template, whole, performance))
    : resolveIn(template, own, performance);
}

/** Evaluates fields while the step runs. */
const laterOf =
  (performance: StepPerformance): EvaluateLater =>
  async (field, seen) => {
    const template = performance.node.later?.[field];
    if (!template) return undefined;
    const { load } = performance;
    const scope = { ...performance.scope, ...seen };
    const values = await resolve(performance, template, load ? await load(template, scope) : scope);
    return (values as Record<string, unknown>)[field];
  };

function resolveIn(template: Template, scope: Scope, performance: StepPerformance): unknown {
  const { expressions, workspaceId, abort, moment } = performance;
  const once = () => expressions.resolve(template, scope, { group: workspaceId, moment });
  const resolved = once();
  if (!isPromise<unknown>(resolved)) return resolved;
  return resolved.catch((error: unknown) => {
    if (!isBusy(error)) throw error;
    return retryWhileBusy(once, isBusy, abort.signal);
  });
}

function dispatch(performance: StepPerformance, resolved: unknown): StepResult | Promise<StepResult> {
  const { node, context } = performance;
  const data = NODE_TYPES[node.type].data.safeParse(resolved);
  if (!data.success) {
    const [issue] = data.error.issues;
    const place = jsonPointer(["data", ...(issue?.path ?? [])]);
    return failed("invalid_data", `${place}: ${issue ? messageOf(issue) : "not valid"}`, false);
  }
  if (performance.instead) return performance.instead(data.data);
  // The table pairs each name with its own data type. The compiler cannot infer that both sides have the same name.
  const step = STEPS[node.type] as (...given: unknown[]) => StepResult | Promise<StepResult>;
  return step(data.data, context, laterOf(performance));
}

const isPromise = <T>(value: unknown): value is Promise<T> => value instanceof Promise;

async function limited(
  result: Promise<StepResult>,
  { node, abort, mostMs = Infinity }: StepPerformance,
): Promise<StepResult> {
  const { timeoutMs: usual, ofProcessor, limitMs }: NodeType = NODE_TYPES[node.type];
  const policyMs = timeoutOf(node.policy, usual);
  const ownMs = limitMs ? limitMs(node.data, policyMs) : policyMs * (ofProcessor ? MAX_SLOWDOWN : 1);
  const timeoutMs = Math.min(ownMs, mostMs);
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

/** Turns a result into a failed step when it is too large to keep, or when its form is not a schema. */
function checked(result: StepResult, performance: StepPerformance): StepResult | Promise<StepResult> {
  if (result.kind === "ask") return checkedForm(result, performance);
  if (result.kind === "iterate") return result;
  // The error of a failed attempt is what matters, so an input that is too large is dropped.
  if (result.kind === "failed") return isTooLarge(result.input) ? { ...result, input: undefined } : result;
  // The input is only shown in the log, so it is dropped and not stored elsewhere.
  if (result.kind === "done" && isTooLarge(result.input)) return { ...result, input: undefined };
  return result;
}

/** Fails a step whose form is not a schema before people are asked to fill it in. */
function checkedForm(
  result: Extract<StepResult, { kind: "ask" }>,
  { expressions, workspaceId }: StepPerformance,
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
  if (error instanceof StepFailure) return failed(error.code, error.message, error.retryable);
  return failed("step_crashed", error instanceof Error ? error.message : "The step failed without saying why.");
}
