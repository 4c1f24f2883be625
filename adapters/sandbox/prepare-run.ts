import { type QuickJSHandle, Scope } from "quickjs-emscripten-core";
import { CODE_FILE, CODE_NAMES, functionText } from "../../core/code/function-text.ts";
import { MAX_LOG_LENGTH, MAX_LOG_LINES, MAX_OUTPUT_LENGTH, MEMORY_MIB } from "../../core/code/limits.ts";
import type { CodeLog } from "../../core/code/sandbox-error.ts";
import { leftMs } from "../../core/run/step-limits.ts";
import { type Engine, MIB } from "./engine.ts";
import * as failures from "./failures.ts";
import { ASCII_ORDER, createIntl, type IntlAnswer, type IntlCall, MAX_INTL_LENGTH } from "./intl-host.ts";
import { intlPrelude } from "./intl-prelude.ts";
import type { Answer, Outcome, Task } from "./messages.ts";
import { urlPrelude } from "./url-prelude.ts";
import { answerWeb, MAX_WEB_LENGTH, type WebAnswer, type WebCall } from "./web-host.ts";
import { webPrelude } from "./web-prelude.ts";
import { prelude, type Prelude, type Thrown } from "./prelude.ts";

/** Memory beyond the code's limit. With it, a failure for lack of memory can still be described. */
const SPARE_MIB = 4;
/** Enough for about 6,000 nested calls. */
const STACK_BYTES = MIB;
const JOBS_AT_ONCE = 1_000;
/** An engine that has grown beyond this is not reused, so that its memory is freed. */
const REUSE_MIB = 32;

/** The names that the web preludes add, and ways to reach a global without its name. */
const USES_WEB =
  /\\u|\b(crypto|URL|URLSearchParams|TextEncoder|TextDecoder|atob|btoa|structuredClone|globalThis|this|eval|Function)\b/;

const TOO_LONG_FOR_INTL = `What a locale is applied to is longer than ${MAX_INTL_LENGTH / 1_000},000 characters.`;

export interface PreparedRun {
  /**
   * Runs a task. It can be called only once.
   * @throws when QuickJS itself breaks. The process must not be used afterwards.
   */
  run(task: Task): Answer;
  /** Frees everything after `run`. Returns false if the engine must not be reused. */
  end(): boolean;
}

/**
 * Prepares a sandbox for one run of code: a QuickJS runtime and context that is never used before or after. The sandbox
 * can call two functions of the host: one takes a log line, the other answers calls of Intl.
 */
export function prepareRun({ quickjs, memory }: Engine): PreparedRun {
  const scope = new Scope();
  const runtime = scope.manage(
    quickjs.newRuntime({ memoryLimitBytes: MEMORY_MIB * MIB, maxStackSizeBytes: STACK_BYTES }),
  );
  const context = scope.manage(runtime.newContext());
  const own = (handle: QuickJSHandle) => scope.manage(handle);

  const logs: CodeLog[] = [];
  const log = context.newFunction("log", line => {
    if (logs.length > MAX_LOG_LINES) return;
    const { level, message } = JSON.parse(context.getString(line)) as CodeLog;
    logs.push({ level, message: message.slice(0, MAX_LOG_LENGTH).toWellFormed() });
  });
  const names = context.unwrapResult(context.evalCode(JSON.stringify(CODE_NAMES)));
  const limits = [context.newNumber(MAX_LOG_LINES), context.newNumber(MAX_LOG_LENGTH)];
  const setUp = context.unwrapResult(context.evalCode(`"use strict"; (${prelude.toString()})`, "prelude"));
  const given = [log, names, ...limits].map(own);
  const made = own(context.unwrapResult(context.callFunction(own(setUp), context.undefined, ...given)));
  const intl = createIntl();
  const ask = context.newFunction("intl", asked => {
    const length = context.getProp(asked, "length").consume(handle => context.getNumber(handle));
    const answer: IntlAnswer =
      length > MAX_INTL_LENGTH
        ? { error: { name: "RangeError", message: TOO_LONG_FOR_INTL } }
        : intl(JSON.parse(context.getString(asked)) as IntlCall);
    return context.newString(JSON.stringify(answer));
  });
  const setUpIntl = own(context.unwrapResult(context.evalCode(`"use strict"; (${intlPrelude.toString()})`, "prelude")));
  const givenToIntl = [own(ask), own(context.newString(ASCII_ORDER))];
  own(context.unwrapResult(context.callFunction(setUpIntl, context.undefined, ...givenToIntl)));
  const web = context.newFunction("web", asked => {
    const length = context.getProp(asked, "length").consume(handle => context.getNumber(handle));
    const answer: WebAnswer =
      length > MAX_WEB_LENGTH
        ? { error: { name: "RangeError", message: `The call is longer than ${MAX_WEB_LENGTH} characters.` } }
        : answerWeb(JSON.parse(context.getString(asked)) as WebCall);
    return context.newString(JSON.stringify(answer));
  });
  const answers = own(web);
  /** Adds what few programs use, so that other programs need not wait for it. */
  function setUpWeb(code: string): void {
    for (const part of USES_WEB.test(code) ? [webPrelude, urlPrelude] : []) {
      const setUpPart = own(context.unwrapResult(context.evalCode(`"use strict"; (${part.toString()})`, "prelude")));
      own(context.unwrapResult(context.callFunction(setUpPart, context.undefined, answers)));
    }
  }
  const call = (name: keyof Prelude, ...values: QuickJSHandle[]) =>
    scope.manage(context.callFunction(own(context.getProp(made, name)), context.undefined, ...values));

  let isOver = false;
  let isBroken = false;

  /** Returns a function that says whether the code has used up this much processor time, from now on. */
  function lateAfter(timeoutMs: number): () => boolean {
    const startedAt = performance.now();
    const before = process.cpuUsage();
    return () => {
      const elapsedMs = performance.now() - startedAt;
      // The clock is read first, because it is much cheaper than the processor time.
      if (isOver || elapsedMs < timeoutMs) return isOver;
      const { user, system } = process.cpuUsage(before);
      return (isOver = leftMs(timeoutMs, (user + system) / 1_000, elapsedMs) <= 0);
    };
  }

  /** Why there is no output, if the code or the serialization of its output threw this value. */
  function failure(thrown: QuickJSHandle, { code, timeoutMs }: Task): Outcome {
    if (isOver) return failures.timedOut(timeoutMs);
    // QuickJS throws null if there is no memory for an error.
    const isFull = memory.buffer.byteLength >= MEMORY_MIB * MIB;
    if (isFull && context.eq(thrown, context.null)) return failures.MEMORY;
    runtime.setMemoryLimit((MEMORY_MIB + SPARE_MIB) * MIB);
    const said = call("describe", thrown);
    if (said.error) return isOver ? failures.timedOut(timeoutMs) : failures.MEMORY;
    return failures.failureOf(JSON.parse(context.getString(said.value)) as Thrown, code);
  }

  function outputOf(returned: QuickJSHandle, task: Task): Outcome {
    const output = call("output", returned);
    if (output.error) return failure(output.error, task);
    const length = context.getNumber(own(context.getProp(output.value, "length")));
    if (length > MAX_OUTPUT_LENGTH) return failures.TOO_LARGE;
    const json = context.getString(output.value);
    return failures.isTooDeep(JSON.parse(json)) ? failures.TOO_DEEP : { output: json };
  }

  function outcome(task: Task): Outcome {
    const { code, globals, timeoutMs } = task;
    const isLate = lateAfter(timeoutMs);
    runtime.setInterruptHandler(isLate);
    setUpWeb(code);
    const body = scope.manage(context.evalCode(functionText(code), CODE_FILE, { type: "global" }));
    if (body.error) return failure(body.error, task);
    const promise = call("start", body.value, own(context.newString(globals)));
    if (promise.error) return failure(promise.error, task);
    for (;;) {
      const state = context.getPromiseState(promise.value);
      if (state.type === "rejected") return failure(own(state.error), task);
      if (state.type === "fulfilled") return outputOf(own(state.value), task);
      if (isLate()) return failures.timedOut(timeoutMs);
      if (!runtime.hasPendingJob()) return failures.NEVER_SETTLES;
      const jobs = scope.manage(runtime.executePendingJobs(JOBS_AT_ONCE));
      if (jobs.error) return failure(jobs.error, task);
    }
  }

  return {
    run(task) {
      try {
        return { logs, ...outcome(task) };
      } catch (error) {
        // The process's stack ended before QuickJS's own stack limit.
        if (!(error instanceof RangeError)) throw error;
        isBroken = true;
        return { logs, ...failures.RECURSION };
      }
    },
    end() {
      if (isBroken || memory.buffer.byteLength > REUSE_MIB * MIB) return false;
      try {
        scope.dispose();
        return true;
      } catch {
        return false;
      }
    },
  };
}
