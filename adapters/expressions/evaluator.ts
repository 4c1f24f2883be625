import { Worker } from "node:worker_threads";
import jsonata from "jsonata";
import { describeJsonataError } from "../../core/expressions/expression-error.ts";
import { MAX_RESULT_LENGTH } from "../../core/expressions/limits.ts";
import { plainJson } from "../../core/expressions/plain-json.ts";
import { checkForm, proveForm } from "../../core/forms/check-form.ts";
import type { Message, Task } from "./messages.ts";
import { sealFunctions } from "./seal-functions.ts";

/** Levels of evaluation: about four for each call of a lambda, so recursion of some hundred calls. */
const STACK = 2_000;

/** Ends this process when the one that started it is gone, also while an endless expression holds its event loop. */
const ORPHAN_WATCH = `setInterval(() => {
  if (process.ppid !== ${process.ppid}) process.kill(process.pid, "SIGKILL");
}, 500)`;

async function answer(task: Task): Promise<Message> {
  if (task.kind === "form") {
    return { value: "data" in task ? checkForm(task.form, task.data) : proveForm(task.form) };
  }
  const { source, scope } = task;
  try {
    // Compiled afresh each time: what an expression might do to its own functions ends with it.
    // `stack` is an option of JSONata 2.2.
    const value: unknown = await jsonata(source, { stack: STACK }).evaluate(scope);
    return { value: plainJson(value, { left: MAX_RESULT_LENGTH }) };
  } catch (error) {
    const { code, reason } = describeJsonataError(error);
    return { error: { code, reason } };
  }
}

const send = (message: Message) => process.send?.(message);

new Worker(ORPHAN_WATCH, { eval: true, env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
process.once("disconnect", () => process.exit());

void sealFunctions().then(() => {
  // Nothing may be added to what every object inherits from, whatever an expression finds a way to write to.
  Object.freeze(Object.prototype);
  process.on("message", (task: Task) => void answer(task).then(send));
  send({ ready: true });
});
