import type { ChildProcess } from "node:child_process";
import { leftMs } from "../../core/run/step-limits.ts";
import { createFairQueue } from "./fair-queue.ts";
import type { Message } from "./serve-tasks.ts";
import {
  endProcess,
  keepProcessAlive,
  letProcessExit,
  OUT_OF_MEMORY,
  processorMs,
  startProcess,
} from "./pool-process.ts";

export interface PoolLimits {
  /** Maximum number of processes. They start on demand. */
  processes: number;
  /** Maximum number of processes that work for one group. Defaults to all. */
  perGroup?: number;
  /** Maximum number of waiting tasks. A group may have a quarter of it. Further tasks are refused. */
  maxQueue: number;
  /** How long a task waits for a process before it is refused, in ms. */
  maxWaitMs: number;
  /** An idle process ends after this time. */
  idleMs: number;
  /** The heap limit of each process, in MiB. */
  heapMb: number;
}

/** Why a task has no answer. `busy`: the queue is full, or the wait was too long. `ended`: the process has ended. */
export type TaskFailure = "busy" | "timeout" | "memory" | "ended" | "not_started" | "stopping" | "not_copyable";

export interface Assignment {
  /** Groups (workspaces) take turns. */
  group: string;
  /** The time limit in ms, from when a process has the task. Then the process is ended. */
  timeoutMs: number;
  /**
   * Counts `timeoutMs` as processor time, if the system reports it. The elapsed time is then at most ten times as much.
   */
  ofProcessor?: boolean;
  /** Ends the task in any state, and rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface ProcessPool<Task, Answer> {
  /**
   * Runs a task. `task` is called when a process is free, and its result is copied to the process.
   * @throws the error of `task`, the signal's reason, or the pool's error for a trouble.
   */
  run(task: () => Task, assignment: Assignment): Promise<Answer>;
  /** Ends the processes. Running and waiting tasks are rejected as `stopping`. */
  close(): Promise<void>;
}

interface Job<Task, Answer> extends Assignment {
  task: () => Task;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

interface Member<Task, Answer> {
  child: ChildProcess;
  state: "starting" | "ready" | "ending";
  job?: Job<Task, Answer> | undefined;
  /** Ends the process when it starts or works for too long, or to free its memory when it is idle. */
  timer?: NodeJS.Timeout;
}

const START_MS = 10_000;
/** The minimum interval between two checks of a task's processor time. */
const LOOK_MS = 20;

/**
 * A pool of processes of one file, which calls serveTasks. `fail` converts a trouble to an error of the task's kind.
 */
export function createProcessPool<Task, Answer>(
  file: string,
  limits: PoolLimits,
  fail: (trouble: TaskFailure, assignment: Assignment) => Error,
): ProcessPool<Task, Answer> {
  const queue = createFairQueue<Job<Task, Answer>>(limits.maxQueue);
  const members = new Set<Member<Task, Answer>>();
  let closed = false;

  const room = (group: string) => {
    let left = limits.perGroup ?? Infinity;
    for (const { job } of members) if (job?.group === group) left--;
    return left;
  };

  const settle = (member: Member<Task, Answer>, act: (job: Job<Task, Answer>) => void) => {
    const { job } = member;
    member.job = undefined;
    if (job) act(job);
  };

  /** Takes the process out of use. Its `exit` event makes room for a successor. */
  const end = (member: Member<Task, Answer>) => {
    member.state = "ending";
    clearTimeout(member.timer);
    member.child.kill("SIGKILL");
  };

  /** Ends the process after a time. `more` is called then, and returns further ms if the process has time left. */
  const endAfter = (member: Member<Task, Answer>, ms: number, more: () => number = () => 0) => {
    clearTimeout(member.timer);
    member.timer = setTimeout(() => {
      const moreMs = more();
      if (moreMs > 0) return endAfter(member, Math.max(moreMs, LOOK_MS), more);
      settle(member, job => job.reject(fail("timeout", job)));
      end(member);
    }, ms).unref();
  };

  const limit = (member: Member<Task, Answer>, { timeoutMs, ofProcessor }: Job<Task, Answer>) => {
    const [before, startedAt] = [processorMs(member.child), performance.now()];
    endAfter(member, timeoutMs, () => {
      const used = processorMs(member.child);
      if (!ofProcessor || before === undefined || used === undefined) return 0;
      return leftMs(timeoutMs, used - before, performance.now() - startedAt);
    });
  };

  /** Gives a ready process its next task, or lets it idle. */
  function next(member: Member<Task, Answer>): void {
    for (let job = queue.shift(room); job; job = queue.shift(room)) {
      let task: Task;
      try {
        task = job.task();
      } catch (error) {
        job.reject(error);
        continue;
      }
      try {
        member.child.send(task as object, () => {});
      } catch {
        job.reject(fail("not_copyable", job));
        continue;
      }
      member.job = job;
      keepProcessAlive(member.child);
      limit(member, job);
      return;
    }
    letProcessExit(member.child);
    endAfter(member, limits.idleMs);
  }

  function start(): void {
    const child = startProcess(file, limits.heapMb);
    const member: Member<Task, Answer> = { child, state: "starting" };
    members.add(member);
    endAfter(member, START_MS);
    let started = false;
    child.on("message", (message: Message<Answer>) => {
      if (member.state === "ending") return;
      started = true;
      member.state = "ready";
      if ("answer" in message) settle(member, job => job.resolve(message.answer));
      next(member);
    });
    const leave = (trouble: TaskFailure) => {
      if (!members.delete(member)) return;
      member.state = "ending";
      clearTimeout(member.timer);
      settle(member, job => job.reject(fail(trouble, job)));
      // A process that failed to start would fail again. Waiting tasks are rejected, because starting processes would
      // never end.
      if (!started) drain("not_started");
      dispatch();
    };
    child.on("error", () => {
      child.kill("SIGKILL");
      if (child.pid === undefined) leave("not_started");
    });
    child.on("exit", (_, signal) => leave(OUT_OF_MEMORY.has(signal) ? "memory" : "ended"));
  }

  function drain(trouble: TaskFailure): void {
    for (let job = queue.shift(); job; job = queue.shift()) job.reject(fail(trouble, job));
  }

  function dispatch(): void {
    if (closed) return;
    let starting = 0;
    for (const member of members) {
      if (member.state === "starting") starting++;
      else if (member.state === "ready" && !member.job && queue.ready(room) > 0) next(member);
    }
    for (; members.size < limits.processes && starting < queue.ready(room); starting++) start();
  }

  /**
   * Drops a task whose caller no longer waits. A queued task is not started, and a running one ends with its process.
   */
  function abandon(job: Job<Task, Answer>): void {
    queue.remove(job.group, job);
    for (const member of members) {
      if (member.job !== job) continue;
      member.job = undefined;
      end(member);
    }
  }

  return {
    run(task, assignment) {
      const { group, signal } = assignment;
      if (closed) return Promise.reject(fail("stopping", assignment));
      if (signal?.aborted) return Promise.reject(signal.reason as Error);
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const waiting = setTimeout(() => {
        queue.remove(group, job);
        reject(fail("busy", job));
      }, limits.maxWaitMs).unref();
      const begin = () => {
        clearTimeout(waiting);
        return task();
      };
      const job: Job<Task, Answer> = { ...assignment, task: begin, resolve, reject };
      const abort = () => {
        abandon(job);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener("abort", abort, { once: true });
      if (queue.push(group, job)) dispatch();
      else reject(fail("busy", job));
      return promise.finally(() => {
        clearTimeout(waiting);
        signal?.removeEventListener("abort", abort);
      });
    },
    async close() {
      closed = true;
      drain("stopping");
      const ending = [...members];
      for (const member of ending) settle(member, job => job.reject(fail("stopping", job)));
      await Promise.all(ending.map(({ child }) => endProcess(child)));
    },
  };
}
