import { randomUUID } from "node:crypto";
import { ExpressionError } from "../../core/expressions/expression-error.ts";
import { UNDECIDED } from "../../core/expressions/fast-evaluator.ts";
import { type FunctionContext, functionContextOf } from "../../core/expressions/function-context.ts";
import { MAX_RESULT_LENGTH } from "../../core/expressions/limits.ts";
import type { ParsedExpression } from "../../core/expressions/parse.ts";
import { pickScope, type Scope } from "../../core/expressions/scope.ts";
import type { Template } from "../../core/expressions/template.ts";
import { createEvaluators, type EvaluatorsOptions } from "./evaluators.ts";
import { createForms, type Forms } from "./forms.ts";
import { evaluateInline } from "./inline.ts";
import { resolveTemplate } from "./resolve-template.ts";

export interface ExpressionsOptions extends Partial<EvaluatorsOptions> {
  /** The time limit of all expressions of one template together, in ms. A single expression has `timeoutMs`. */
  templateTimeoutMs?: number;
}

export interface ResolveOptions {
  /** The workspace id. Groups take turns when expressions need a process. */
  group?: string;
  /**
   * The data behind `$now` and `$uuid`. It is called only if an expression needs JSONata. Without it, the time is the
   * current one and UUIDs are random.
   */
  moment?: (() => FunctionContext | undefined) | undefined;
}

export interface Expressions {
  /**
   * Resolves a template over a scope. The result is synchronous if no expression needs JSONata, else a promise. An
   * expression without a value gives null if it stands alone, and nothing inside a longer string. The scope is never
   * written to. The result may share parts of it by reference.
   * @throws {ExpressionError} when the template has faults (synchronously), or an expression fails (also as a
   * rejection).
   */
  resolve(template: Template, scope: Scope, options?: ResolveOptions): unknown;
  /** Checks forms in the same processes, with the same limits and turns. */
  readonly forms: Forms;
  /** Ends the processes and rejects their running tasks. */
  close(): Promise<void>;
}

const tookTooLong = (ms: number) =>
  new ExpressionError(
    "expression_timeout",
    `The expressions of this step took longer than ${ms} ms: use fewer long ones`,
  );

/** Evaluates templates: on the event loop if that is certain to be quick, else in processes that can be ended. */
export function createExpressions(options: ExpressionsOptions = {}): Expressions {
  const { templateTimeoutMs = 10_000, ...limits } = options;
  const evaluators = createEvaluators({
    processes: 2,
    timeoutMs: 1_000,
    maxQueue: 1_000,
    maxWaitMs: 10_000,
    idleMs: 10_000,
    heapMb: 64,
    ...limits,
  });

  async function evaluateSlowly(
    expression: ParsedExpression,
    scope: Scope,
    group: string,
    moment: FunctionContext,
  ): Promise<unknown> {
    if (expression.lane === "inline") {
      const done = await evaluateInline(expression, scope, moment);
      if (done) return done.value;
    }
    return evaluators.run(
      { kind: "expression", source: expression.source, scope: pickScope(scope, expression.names), moment },
      group,
    );
  }

  return {
    resolve(template, scope, { group = "", moment } = {}) {
      const [fault] = template.faults;
      if (fault) throw new ExpressionError("expression_error", fault.message, fault.path, fault.place);
      const startedAt = performance.now();
      // Expressions are evaluated one after another, in the order of the template, so each has the same ordinal each
      // time.
      let evaluated = 0;
      let given: FunctionContext | undefined;
      const evaluate = (expression: ParsedExpression): unknown => {
        const value = expression.fast ? expression.fast(scope) : UNDECIDED;
        if (value !== UNDECIDED) return value;
        if (performance.now() - startedAt > templateTimeoutMs) throw tookTooLong(templateTimeoutMs);
        given ??= moment?.() ?? { now: Date.now(), seed: randomUUID() };
        return evaluateSlowly(expression, scope, group, functionContextOf(given, evaluated++)).catch(
          (error: unknown) => {
            throw error instanceof ExpressionError ? error.of(expression.source) : error;
          },
        );
      };
      return resolveTemplate(template.root, {
        evaluate,
        budget: { left: MAX_RESULT_LENGTH },
      });
    },
    forms: createForms(evaluators),
    close: () => evaluators.close(),
  };
}
