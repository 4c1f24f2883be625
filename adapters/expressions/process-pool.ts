import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ExpressionError } from "../../core/expressions/expression-error.ts";
import { createFairQueue } from "./fair-queue.ts";
import type { Message, Task } from "./messages.ts";

export interface ProcessPoolOptions {
  /** At most so many processes; they start when they are needed. */
  processes: number;
  /** For one expression, from when a process has it. */
  timeoutMs: number;
  /** Expressions that wait for a process; more are expression_busy. A group may take a quarter of it. */
  maxQueue: number;
  /** So long an expression waits for a process before it is expression_busy. */
  maxWaitMs: number;
  /** A process without work ends after this. */
  idleMs: number;
  /** Heap of each process, in MiB. */
  heapMb: number;
}

export interface ProcessPool {
  /** The scope is copied. Groups (workspaces) take turns. Rejects with ExpressionError. */
  run(task: Task, group: string): Promise<unknown>;
  close(): Promise<void>;
}

interface Job {
  task: Task;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  waiting: NodeJS.Timeout;
}

interface Evaluator {
  child: ChildProcess;
  ready: boolean;
  job?: Job | undefined;
  /** Ends the process: while it starts or works because that takes too long, while it is idle to give memory back. */
  timer?: NodeJS.Timeout;
}

const START_MS = 10_000;
const FILE = join(import.meta.dirname, "evaluator.ts");
/** In KiB, below the 8 MiB that a process has by default. */
const STACK_KIB = 4_096;
/** How a process ends that V8 refuses memory, or the system does. */
const OUT_OF_MEMORY = new Set(["SIGABRT", "SIGTRAP", "SIGILL", "SIGKILL"]);

/** While it works, it keeps the process that waits for it alive; afterwards it does not. */
function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}
function release(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, "exit");
  hold(child);
  child.kill("SIGKILL");
  await exit;
}

const busy = () =>
  new ExpressionError("expression_busy", "Too many long expressions wait already: try again, or make them simpler");
const failed = (reason: string) => new ExpressionError("expression_error", reason);

export function createProcessPool(options: ProcessPoolOptions): ProcessPool {
  const queue = createFairQueue<Job>(options.maxQueue);
  const evaluators = new Set<Evaluator>();
  let closed = false;

  const settle = (evaluator: Evaluator, act: (job: Job) => void) => {
    const { job } = evaluator;
    evaluator.job = undefined;
    if (job) act(job);
  };

  const endAfter = (evaluator: Evaluator, ms: number, error?: ExpressionError) => {
    clearTimeout(evaluator.timer);
    evaluator.timer = setTimeout(() => {
      // No further task may be given to it; `exit` makes room for a successor.
      evaluator.ready = false;
      if (error) settle(evaluator, job => job.reject(error));
      evaluator.child.kill("SIGKILL");
    }, ms).unref();
  };

  function next(evaluator: Evaluator): void {
    for (;;) {
      const job = queue.shift();
      if (!job) break;
      clearTimeout(job.waiting);
      try {
        evaluator.child.send(job.task, () => {});
      } catch {
        job.reject(failed("The data that the expression uses is not JSON"));
        continue;
      }
      evaluator.job = job;
      hold(evaluator.child);
      const limit = `The expression took longer than ${options.timeoutMs} ms: simplify it, or look for an endless loop`;
      endAfter(evaluator, options.timeoutMs, new ExpressionError("expression_timeout", limit));
      return;
    }
    release(evaluator.child);
    endAfter(evaluator, options.idleMs);
  }

  function receive(evaluator: Evaluator, message: Message): void {
    if ("ready" in message) evaluator.ready = true;
    else if (!evaluator.job) return;
    else if ("value" in message) settle(evaluator, job => job.resolve(message.value));
    else settle(evaluator, job => job.reject(new ExpressionError(message.error.code, message.error.reason)));
    if (evaluator.ready) next(evaluator);
  }

  function start(): void {
    // A process, not a thread: one large allocation beyond a thread's heap limit ends the process that it runs in.
    const child = fork(FILE, {
      env: {},
      execArgv: [`--max-old-space-size=${options.heapMb}`, "--max-semi-space-size=8", `--stack-size=${STACK_KIB}`],
      // As JSON, functions would be lost without a word.
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      // Ctrl-C is for the service, which stops with its steps done; it ends its evaluators by itself.
      detached: true,
    });
    const evaluator: Evaluator = { child, ready: false };
    evaluators.add(evaluator);
    endAfter(evaluator, START_MS);
    let started = false;
    let gone = false;
    child.on("message", (message: Message) => {
      started = true;
      receive(evaluator, message);
    });
    const leave = (error: ExpressionError) => {
      if (gone) return;
      gone = true;
      clearTimeout(evaluator.timer);
      evaluator.ready = false;
      evaluators.delete(evaluator);
      settle(evaluator, job => job.reject(error));
      // A process that never came up would not come up again either: who waits is told, instead of starting for ever.
      if (!started && !closed) drain(failed("The process for long expressions could not be started"));
      if (queue.size > 0 && !closed) start();
    };
    child.on("error", () => {
      child.kill("SIGKILL");
      if (child.pid === undefined) leave(failed("The process for long expressions could not be started"));
    });
    child.on("exit", (_, signal) => {
      const memory = signal !== null && OUT_OF_MEMORY.has(signal);
      const reason = `The expression used more than ${options.heapMb} MiB of memory`;
      leave(failed(memory ? reason : "The expression ended its process"));
    });
  }

  function drain(error: ExpressionError): void {
    for (let job = queue.shift(); job; job = queue.shift()) {
      clearTimeout(job.waiting);
      job.reject(error);
    }
  }

  function dispatch(): void {
    const idle = [...evaluators].find(({ ready, job }) => ready && !job);
    if (idle) next(idle);
    else if (evaluators.size < options.processes) start();
  }

  return {
    run(task, group) {
      if (closed) return Promise.reject(failed("The service is stopping"));
      return new Promise((resolve, reject) => {
        const waiting = setTimeout(() => {
          queue.remove(group, job);
          reject(busy());
        }, options.maxWaitMs).unref();
        const job: Job = { task, resolve, reject, waiting };
        if (queue.push(group, job)) {
          dispatch();
        } else {
          clearTimeout(waiting);
          reject(busy());
        }
      });
    },
    async close() {
      closed = true;
      drain(failed("The service is stopping"));
      const ending = [...evaluators];
      for (const evaluator of ending) settle(evaluator, job => job.reject(failed("The service is stopping")));
      await Promise.all(ending.map(({ child }) => ended(child)));
    },
  };
}
