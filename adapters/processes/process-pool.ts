import type { ChildProcess } from "node:child_process";
import { createFairQueue } from "./fair-queue.ts";
import type { Message } from "./messages.ts";
import { endProcess, hold, OUT_OF_MEMORY, processorMs, release, startProcess } from "./pool-process.ts";

export interface PoolLimits {
  /** At most so many processes; they start when they are needed. */
  processes: number;
  /** At most so many of them at work for one group; as a default, all. */
  perGroup?: number;
  /** Tasks that wait for a process; more are refused. A group may take a quarter of it. */
  maxQueue: number;
  /** So long a task waits for a process before it is refused. */
  maxWaitMs: number;
  /** A process without work ends after this. */
  idleMs: number;
  /** Heap of each process, in MiB. */
  heapMb: number;
}

/** Why a task has no answer. `busy`: the queue is full, or the wait was too long. `ended`: the process is gone. */
export type Trouble = "busy" | "timeout" | "memory" | "ended" | "not_started" | "stopping" | "not_copyable";

export interface Assignment {
  /** Groups (workspaces) take turns. */
  group: string;
  /** From when a process has the task; then the process is ended. */
  timeoutMs: number;
  /** `timeoutMs` is processor time, as far as the system tells it, and the time that passes at most ten times as much. */
  ofProcessor?: boolean;
  /** Ends the task, wherever it is, and rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface ProcessPool<Task, Answer> {
  /** `task` is called, and what it gives copied, when a process takes it; what it throws, this rejects with. */
  run(task: () => Task, assignment: Assignment): Promise<Answer>;
  /** Ends the processes; what they were at, and what waits, is rejected as `stopping`. */
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
  /** Ends the process: while it starts or works because that takes too long, while it is idle to give memory back. */
  timer?: NodeJS.Timeout;
}

const START_MS = 10_000;
/** How much longer a task may take on a machine that has other work than where it has a processor to itself. */
const MOST_SLOWDOWN = 10;
/** How often, at most, it is looked at how much processor time a task has had. */
const LOOK_MS = 20;

/** Processes of one file, which calls serveTasks; `fail` says each trouble in the words of the task's kind. */
export function createProcessPool<Task, Answer>(
  file: string,
  limits: PoolLimits,
  fail: (trouble: Trouble, assignment: Assignment) => Error,
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

  /** No further task is given to it; its `exit` makes room for a successor. */
  const end = (member: Member<Task, Answer>) => {
    member.state = "ending";
    clearTimeout(member.timer);
    member.child.kill("SIGKILL");
  };

  /** `more` is asked when the time is over, and gives how many milliseconds the process has left after all. */
  const endAfter = (member: Member<Task, Answer>, ms: number, more: () => number = () => 0) => {
    clearTimeout(member.timer);
    member.timer = setTimeout(() => {
      const leftMs = more();
      if (leftMs > 0) return endAfter(member, Math.max(leftMs, LOOK_MS), more);
      settle(member, job => job.reject(fail("timeout", job)));
      end(member);
    }, ms).unref();
  };

  const limit = (member: Member<Task, Answer>, { timeoutMs, ofProcessor }: Job<Task, Answer>) => {
    const [before, startedAt] = [processorMs(member.child), performance.now()];
    endAfter(member, timeoutMs, () => {
      const used = processorMs(member.child);
      if (!ofProcessor || before === undefined || used === undefined) return 0;
      const mostMs = timeoutMs * MOST_SLOWDOWN - (performance.now() - startedAt);
      return Math.min(timeoutMs - (used - before), mostMs);
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
      hold(member.child);
      limit(member, job);
      return;
    }
    release(member.child);
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
    const leave = (trouble: Trouble) => {
      if (!members.delete(member)) return;
      member.state = "ending";
      clearTimeout(member.timer);
      settle(member, job => job.reject(fail(trouble, job)));
      // A process that never came up would not come up again either: who waits is told, instead of starting for ever.
      if (!started) drain("not_started");
      dispatch();
    };
    child.on("error", () => {
      child.kill("SIGKILL");
      if (child.pid === undefined) leave("not_started");
    });
    child.on("exit", (_, signal) => leave(OUT_OF_MEMORY.has(signal) ? "memory" : "ended"));
  }

  function drain(trouble: Trouble): void {
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

  /** A task that nobody waits for any more is not begun; one under way ends with its process. */
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
