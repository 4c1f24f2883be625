import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { ExpressionError } from "../../core/expressions/expression-error.ts";
import { createFairQueue } from "./fair-queue.ts";
import type { ThreadMessage, ThreadTask } from "./messages.ts";

export interface ThreadPoolOptions {
  /** At most so many threads; they start when they are needed. */
  threads: number;
  /** For one expression, from when a thread has it. */
  timeoutMs: number;
  /** Expressions that wait for a thread; more are expression_busy. A group may take a quarter of it. */
  maxQueue: number;
  /** So long an expression waits for a thread before it is expression_busy. */
  maxWaitMs: number;
  /** A thread without work ends after this. */
  idleMs: number;
  /** Heap of each thread, in MiB. */
  heapMb: number;
}

export interface ThreadPool {
  /** The scope is copied. Groups (workspaces) take turns. Rejects with ExpressionError. */
  run(task: ThreadTask, group: string): Promise<unknown>;
  close(): Promise<void>;
}

interface Job {
  task: ThreadTask;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  waiting: NodeJS.Timeout;
}

interface Thread {
  worker: Worker;
  ready: boolean;
  job?: Job | undefined;
  /** Ends the thread: while it starts or works because that takes too long, while it is idle to give memory back. */
  timer?: NodeJS.Timeout;
}

const START_MS = 10_000;
const FILE = join(import.meta.dirname, "thread.ts");

const busy = () =>
  new ExpressionError("expression_busy", "Too many long expressions wait already: try again, or make them simpler");
const failed = (reason: string) => new ExpressionError("expression_error", reason);

export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const queue = createFairQueue<Job>(options.maxQueue);
  const threads = new Set<Thread>();
  let closed = false;

  const settle = (thread: Thread, act: (job: Job) => void) => {
    const { job } = thread;
    thread.job = undefined;
    if (job) act(job);
  };

  const endAfter = (thread: Thread, ms: number, error?: ExpressionError) => {
    clearTimeout(thread.timer);
    thread.timer = setTimeout(() => {
      // No further task may be given to it; `exit` makes room for a successor.
      thread.ready = false;
      if (error) settle(thread, job => job.reject(error));
      void thread.worker.terminate();
    }, ms).unref();
  };

  function next(thread: Thread): void {
    for (;;) {
      const job = queue.shift();
      if (!job) break;
      clearTimeout(job.waiting);
      try {
        thread.worker.postMessage(job.task);
      } catch {
        job.reject(failed("The data that the expression uses is not JSON"));
        continue;
      }
      thread.job = job;
      thread.worker.ref();
      const limit = `The expression took longer than ${options.timeoutMs} ms: simplify it, or look for an endless loop`;
      endAfter(thread, options.timeoutMs, new ExpressionError("expression_timeout", limit));
      return;
    }
    thread.worker.unref();
    endAfter(thread, options.idleMs);
  }

  function receive(thread: Thread, message: ThreadMessage): void {
    if ("ready" in message) thread.ready = true;
    else if (!thread.job) return;
    else if ("value" in message) settle(thread, job => job.resolve(message.value));
    else settle(thread, job => job.reject(new ExpressionError(message.error.code, message.error.reason)));
    if (thread.ready) next(thread);
  }

  function start(): void {
    const worker = new Worker(FILE, {
      name: "expressions",
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.heapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    const thread: Thread = { worker, ready: false };
    threads.add(thread);
    endAfter(thread, START_MS);
    let started = false;
    worker.on("message", (message: ThreadMessage) => {
      started = true;
      receive(thread, message);
    });
    worker.on("error", (error: Error & { code?: string }) => {
      thread.ready = false;
      const memory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      const reason = memory
        ? `The expression used more than ${options.heapMb} MiB of memory`
        : "The expression ended its thread";
      settle(thread, job => job.reject(failed(reason)));
    });
    worker.on("exit", () => {
      clearTimeout(thread.timer);
      threads.delete(thread);
      settle(thread, job => job.reject(failed("The expression ended its thread")));
      // A thread that never came up would not come up again either: who waits is told, instead of starting for ever.
      if (!started && !closed) drain(failed("The thread for long expressions could not be started"));
      if (queue.size > 0 && !closed) start();
    });
  }

  function drain(error: ExpressionError): void {
    for (let job = queue.shift(); job; job = queue.shift()) {
      clearTimeout(job.waiting);
      job.reject(error);
    }
  }

  function dispatch(): void {
    const idle = [...threads].find(thread => thread.ready && !thread.job);
    if (idle) next(idle);
    else if (threads.size < options.threads) start();
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
      const ending = [...threads];
      for (const thread of ending) settle(thread, job => job.reject(failed("The service is stopping")));
      await Promise.all(ending.map(thread => thread.worker.terminate()));
    },
  };
}
