import { parentPort } from "node:worker_threads";
import jsonata from "jsonata";
import { describeJsonataError } from "../../core/expressions/expression-error.ts";
import { MAX_RESULT_LENGTH } from "../../core/expressions/limits.ts";
import { plainJson } from "../../core/expressions/plain-json.ts";
import type { ThreadMessage, ThreadTask } from "./messages.ts";
import { sealFunctions } from "./seal-functions.ts";

/** Levels of evaluation: about four for each call of a lambda, so recursion of some hundred calls. */
const STACK = 2_000;

async function answer({ source, scope }: ThreadTask): Promise<ThreadMessage> {
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

const port = parentPort;
if (!port) throw new Error("This file runs as a worker thread only");
const send = (message: ThreadMessage) => port.postMessage(message);

void sealFunctions().then(() => {
  // Nothing may be added to what every object inherits from, whatever an expression finds a way to write to.
  Object.freeze(Object.prototype);
  port.on("message", (task: ThreadTask) => void answer(task).then(send));
  send({ ready: true });
});
