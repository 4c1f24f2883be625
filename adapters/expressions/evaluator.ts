import jsonata from "jsonata";
import { describeJsonataError } from "../../core/expressions/expression-error.ts";
import { MAX_RESULT_LENGTH } from "../../core/expressions/limits.ts";
import { ownFunctions } from "./own-functions.ts";
import { plainJson } from "../../core/expressions/plain-json.ts";
import { checkForm, proveForm } from "../../core/forms/check-form.ts";
import { serveTasks } from "../processes/serve-tasks.ts";
import type { Answer, Task } from "./messages.ts";
import { sealFunctions } from "./seal-functions.ts";

/**
 * The maximum depth of evaluation. A call of a lambda takes about four levels, so recursion stops at some hundred
 * calls.
 */
const STACK = 2_000;

async function answer(task: Task): Promise<Answer> {
  if (task.kind === "form") {
    return { value: "data" in task ? checkForm(task.form, task.data) : proveForm(task.form) };
  }
  const { source, scope, moment } = task;
  try {
    // Each evaluation compiles the expression again, so changes to its own functions end with it. `stack` is an option
    // of JSONata 2.2.
    const value: unknown = await jsonata(source, { stack: STACK }).evaluate(scope, ownFunctions(moment));
    return { value: plainJson(value, { left: MAX_RESULT_LENGTH }) };
  } catch (error) {
    const { code, reason, place } = describeJsonataError(error);
    return { error: { code, reason, position: place.position } };
  }
}

void sealFunctions().then(() => {
  // Freezes the prototype of all objects, so that an expression cannot add to it even if it finds a way to write there.
  Object.freeze(Object.prototype);
  serveTasks(answer);
});
