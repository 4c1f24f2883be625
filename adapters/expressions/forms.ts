import { ExpressionError } from "../../core/expressions/expression-error.ts";
import { isCheapAnswer, isCheapForm } from "../../core/forms/cheap-form.ts";
import { checkForm, type FormCheck } from "../../core/forms/check-form.ts";
import type { Evaluators } from "./evaluators.ts";

/**
 * Checks forms (JSON Schemas from users): in this process if that is certain to be quick, else in a process that can be
 * ended.
 */
export interface Forms {
  /**
   * Checks that a form is a usable schema. `group` as for expressions.
   * @throws {ExpressionError} `expression_busy` when too many checks are waiting.
   */
  prove(form: unknown, group: string): FormCheck | Promise<FormCheck>;
  /**
   * Checks an answer against a form. A form that takes too long to check counts as broken.
   * @throws {ExpressionError} `expression_busy` when too many checks are waiting.
   */
  check(form: unknown, data: unknown, group: string): FormCheck | Promise<FormCheck>;
}

const FINE: FormCheck = { faults: [] };

export function createForms(evaluators: Evaluators): Forms {
  async function elsewhere(form: unknown, data: unknown, group: string): Promise<FormCheck> {
    try {
      return (await evaluators.run({ kind: "form", form, ...(data !== undefined && { data }) }, group)) as FormCheck;
    } catch (error) {
      if (!(error instanceof ExpressionError) || error.code === "expression_busy") throw error;
      return { broken: error.code === "expression_timeout" ? "The form takes too long to check." : error.reason };
    }
  }

  return {
    prove: (form, group) => (isCheapForm(form) ? FINE : elsewhere(form, undefined, group)),
    check: (form, data, group) =>
      isCheapForm(form) && isCheapAnswer(data) ? checkForm(form, data) : elsewhere(form, data ?? null, group),
  };
}
