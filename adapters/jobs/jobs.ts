import { Agenda, type AgendaBackend, type Job as AgendaJob } from "agenda";
import { setTimeout as sleep } from "node:timers/promises";

/** Work that one node at a time does again and again. */
export interface Job {
  name: string;
  /** Milliseconds from one beginning to the next, or a cron expression that begins with seconds (UTC or not: local time). */
  every: number | string;
  /** Stops soon after the signal: the node stops, or the time is over. What it throws is reported, and its next turn comes. */
  run(signal: AbortSignal): Promise<void>;
}

export interface Jobs {
  /** Nothing begins after this; what runs is aborted and waited for, a second and a half at most. */
  stop(): Promise<void>;
}

export interface JobTimes {
  /** How often this node looks for what is due. */
  pollMs: number;
  /** How long a node that was killed keeps its job from the others. */
  lockMs: number;
}

const TIMES: JobTimes = { pollMs: 1_000, lockMs: 6_000 };
/** No turn takes longer. */
const MAX_RUN_MS = 300_000;
const STOP_MS = 1_500;
const CHECK_MS = 30_000;
const SLACK_MS = 1_000;
/** How far the clocks of two nodes may be apart before a lock of one of them is broken by the other. */
const SKEW_MS = 10_000;

/** Keeps the lock while the work goes on: Agenda leaves that to the job. */
async function hold(job: Job, touch: () => Promise<void>, touchMs: number, stopping: AbortSignal): Promise<void> {
  const over = AbortSignal.timeout(MAX_RUN_MS);
  const keeping = setInterval(() => {
    // A lock that is lost lets another node begin too, which every job has to bear.
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
 * A clock that went far ahead and came back leaves a next turn that nobody lives to see, and a node that was killed under
 * such a clock a lock that does not lapse. Brings the turn back to where it would be if it were counted from now, and breaks
 * the lock: where it is held after all, another node begins too, which every job has to bear.
 */
async function bringBack(agenda: Agenda, { name, every }: Job): Promise<void> {
  const { jobs } = await agenda.db.queryJobs({ name });
  const ahead = jobs.filter(job => (job.lockedAt?.getTime() ?? 0) > Date.now() + SKEW_MS);
  if (ahead.length > 0) await agenda.db.unlockJobs(ahead.map(job => String(job._id)));
  const expected = agenda.create(name).repeatEvery(every).attrs.nextRunAt?.getTime() ?? Date.now();
  const latest = expected + (typeof every === "number" ? every : 0) + SLACK_MS;
  const stuck = jobs.some(job => (job.nextRunAt?.getTime() ?? Infinity) > latest);
  if (stuck || jobs.length === 0) await agenda.every(every, name);
}

/** Starts these jobs on this node: of all nodes that have a job, one does it at a time. The backend is closed by `stop`. */
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
    // No limit of locks: Agenda counts one for ever whose job it drops, as it does when a machine slept before its turn.
    agenda.define(job.name, turn, { concurrency: 1 });
  }
  await agenda.start();
  for (const { every, name } of jobs) await agenda.every(every, name);
  const check = () => {
    for (const job of jobs) bringBack(agenda, job).catch((error: unknown) => failed(job.name, error));
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
