import { Agenda, type AgendaBackend, type Job as AgendaJob } from "agenda";
import { setTimeout as sleep } from "node:timers/promises";

/** Periodic work that one node at a time does. */
export interface Job {
  name: string;
  /** Milliseconds from one start to the next, or a cron expression that begins with seconds (in local time). */
  every: number | string;
  /**
   * Does the work. It must stop soon after the signal aborts, which happens when the node stops or the time limit is
   * reached. Errors are reported, and the next turn comes as planned.
   */
  run(signal: AbortSignal): Promise<void>;
}

export interface Jobs {
  /** Starts no more jobs, aborts the running ones, and waits at most 1.5 seconds for them to end. */
  stop(): Promise<void>;
}

export interface JobTimes {
  /** How often this node checks for due jobs, in ms. */
  pollMs: number;
  /** How long the lock of a killed node keeps its job from other nodes, in ms. */
  lockMs: number;
}

const TIMES: JobTimes = { pollMs: 1_000, lockMs: 6_000 };
/** The time limit of one turn. */
const MAX_RUN_MS = 300_000;
const STOP_MS = 1_500;
const CHECK_MS = 30_000;
const SLACK_MS = 1_000;
/** The tolerated difference between the clocks of two nodes. Beyond it, one node breaks the other's lock. */
const SKEW_MS = 10_000;

/** Renews the lock while the job runs, because Agenda does not do that. */
async function hold(job: Job, touch: () => Promise<void>, touchMs: number, stopping: AbortSignal): Promise<void> {
  const over = AbortSignal.timeout(MAX_RUN_MS);
  const keeping = setInterval(() => {
    // If the lock is lost, another node may start the job too. Every job tolerates that.
    if (!over.aborted) touch().catch(() => undefined);
  }, touchMs);
  keeping.unref();
  try {
    await job.run(AbortSignal.any([stopping, over]));
  } finally {
    clearInterval(keeping);
  }
}

/**
 * Repairs a job after a clock that ran far ahead was set back. Such a clock leaves a next turn in the far future and,
 * on a node that was killed, a lock that does not expire. Sets the next turn as if it were counted from now, and breaks
 * the lock. If the lock was held after all, another node starts the job too, which every job tolerates.
 */
async function repairTimes(agenda: Agenda, { name, every }: Job): Promise<void> {
  const { jobs } = await agenda.db.queryJobs({ name });
  const ahead = jobs.filter(job => (job.lockedAt?.getTime() ?? 0) > Date.now() + SKEW_MS);
  if (ahead.length > 0) await agenda.db.unlockJobs(ahead.map(job => String(job._id)));
  const expected = agenda.create(name).repeatEvery(every).attrs.nextRunAt?.getTime() ?? Date.now();
  const latest = expected + (typeof every === "number" ? every : 0) + SLACK_MS;
  const stuck = jobs.some(job => (job.nextRunAt?.getTime() ?? Infinity) > latest);
  if (stuck || jobs.length === 0) await agenda.every(every, name);
}

/** Starts these jobs on this node. Of all nodes with a job, one runs it at a time. `stop` closes the backend. */
export async function startJobs(
  backend: AgendaBackend,
  jobs: readonly Job[],
  failed: (name: string, error: unknown) => void,
  { pollMs, lockMs } = TIMES,
): Promise<Jobs> {
  const agenda = new Agenda({ backend, processEvery: pollMs, defaultLockLifetime: lockMs });
  const stopping = new AbortController();
  let running = 0;
  agenda.on("start", () => void running++);
  agenda.on("complete", () => void running--);
  agenda.on("fail", (error, job) => failed(job.attrs.name, error));
  agenda.on("error", error => failed("agenda", error));
  for (const job of jobs) {
    const turn = (held: AgendaJob) => hold(job, () => held.touch(), lockMs / 3, stopping.signal);
    // No lock limit: when Agenda drops a job, for example after the machine slept through its turn, it counts the lock
    // forever.
    agenda.define(job.name, turn, { concurrency: 1 });
  }
  await agenda.start();
  for (const { every, name } of jobs) await agenda.every(every, name);
  const check = () => {
    for (const job of jobs) repairTimes(agenda, job).catch((error: unknown) => failed(job.name, error));
  };
  check();
  const checking = setInterval(check, CHECK_MS);
  checking.unref();
  return {
    async stop() {
      clearInterval(checking);
      stopping.abort();
      const deadline = performance.now() + STOP_MS;
      while (running > 0 && performance.now() < deadline) await sleep(10);
      await agenda.stop();
    },
  };
}
