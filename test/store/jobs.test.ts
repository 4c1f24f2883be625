import { rm } from "node:fs/promises";
import type { JobParameters } from "agenda";
import { openBackend } from "../../adapters/jobs/backend.ts";
import { JobDocs } from "../../adapters/jobs/job-documents.ts";
import { type Job, type Jobs, startJobs } from "../../adapters/jobs/jobs.ts";
import { StoreJobRepository } from "../../adapters/jobs/store-repository.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import { temporaryFolder } from "../support/server.ts";
import { shiftDate } from "../support/shift-date.ts";
import { until } from "../support/service-node.ts";

let dataDir: string;
let store: Store;
let repository: StoreJobRepository;
const started: Jobs[] = [];

beforeAll(async () => {
  dataDir = await temporaryFolder();
  store = await openStore({ dataDir, sync: "normal", collections: [JobDocs] });
  repository = new StoreJobRepository(store);
});
afterEach(async () => {
  for (const jobs of started.splice(0)) await jobs.stop();
  await repository.purgeAllJobs();
});
afterAll(async () => {
  await store.close();
  await rm(dataDir, { recursive: true });
});

const failures: unknown[] = [];
async function start(...jobs: Job[]): Promise<Jobs> {
  return startLooking(50, ...jobs);
}
async function startLooking(pollMs: number, ...jobs: Job[]): Promise<Jobs> {
  const backend = await openBackend({ store }, error => failures.push(error));
  const all = await startJobs(backend, jobs, (_name, error) => failures.push(error), { pollMs, lockMs: 2_000 });
  started.push(all);
  return all;
}

const soon = () => new Date(Date.now() + 500);
const ago = (ms: number) => new Date(Date.now() - ms);
const single = (nextRunAt: Date | null, name = "tick"): JobParameters => ({
  name,
  type: "single",
  priority: 0,
  nextRunAt,
  repeatInterval: "*/10 * * * * *",
  data: { a: { b: 1 } },
});
const next = (name = "tick") => repository.getNextJobToRun(name, soon(), ago(6_000), undefined, undefined);

describe("Agenda's jobs in the embedded store", () => {
  it("store a single job once with its state, and update its definition", async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => repository.saveJob(single(ago(0)), undefined)));
    expect(new Set(all.map(job => job._id))).toEqual(new Set(["tick"]));
    await repository.saveJobState({ ...all[0]!, failCount: 2, lastRunAt: ago(0) }, { lastModifiedBy: "a node" });
    const saved = await repository.saveJob({ ...single(ago(0)), repeatInterval: 5_000 }, undefined);
    expect(saved).toMatchObject({
      repeatInterval: 5_000,
      failCount: 2,
      lastModifiedBy: "a node",
      data: { a: { b: 1 } },
    });
    expect(saved.lastRunAt).toBeInstanceOf(Date);
    expect((await repository.queryJobs({ name: "tick" })).total).toBe(1);
  });

  it("are locked by one of many workers, and again after the lock expires or is released", async () => {
    const { _id } = await repository.saveJob(single(ago(0)), undefined);
    const locked = await Promise.all(Array.from({ length: 10 }, () => next()));
    expect(locked.filter(job => job !== undefined)).toHaveLength(1);
    await repository.unlockJob(locked.find(job => job !== undefined)!);
    const again = await next();
    expect(again?._id).toBe(_id);
    await repository.saveJobState(
      { ...again!, lockedAt: ago(7_000), nextRunAt: new Date(Date.now() + 60_000) },
      undefined,
    );
    expect((await next())?._id).toBe(_id);
    await repository.saveJobState({ ...again!, lockedAt: undefined, nextRunAt: null }, undefined);
    expect(await next()).toBeUndefined();
  });

  it("are found, disabled, removed and counted by name", async () => {
    for (const name of ["a", "b", "c"]) await repository.saveJob(single(ago(1_000), name), undefined);
    expect(await repository.getQueueSize()).toBe(3);
    expect(await repository.disableJobs({ names: ["a", "b"] })).toBe(2);
    expect(await next("a")).toBeUndefined();
    const { jobs } = await repository.queryJobs({ includeDisabled: false });
    expect(jobs.map(job => job.name)).toEqual(["c"]);
    expect((await repository.queryJobs({ sort: { name: "desc" }, skip: 1, limit: 1 })).jobs[0]?.name).toBe("b");
    expect(await repository.enableJobs({ notNames: ["c"] })).toBe(2);
    expect(await repository.removeJobs({})).toBe(0);
    expect(await repository.removeJobs({ data: { a: { b: 2 } } })).toBe(0);
    expect(await repository.removeJobs({ id: "c", data: { a: { b: 1 } } })).toBe(1);
    expect(await repository.getDistinctJobNames()).toEqual(["a", "b"]);
    const overview = await repository.getJobsOverview();
    expect(overview.find(({ name }) => name === "a")).toMatchObject({ total: 1, repeating: 1, paused: 0 });
    await expect(repository.saveJob({ ...single(null), unique: { name: "a" } }, undefined)).rejects.toThrow("unique");
  });
});

describe("periodic jobs", () => {
  it("run on one node at a time, and continue after a failure", async () => {
    let [turns, at, most] = [0, 0, 0];
    const run = async () => {
      most = Math.max(most, ++at);
      await new Promise(resolve => setTimeout(resolve, 20));
      at--;
      if (++turns === 1) throw new Error("the first one fails");
    };
    for (let node = 0; node < 2; node++) await start({ name: "work", every: 100, run });
    await until(() => turns >= 4);
    expect(most).toBe(1);
    expect(failures.map(String)).toEqual(["Error: the first one fails"]);
  });

  it("are taken from a node that was killed while its clock was ahead", async () => {
    const turn = single(ago(0), "work");
    const held = await repository.saveJob(turn, undefined);
    await repository.saveJobState({ ...held, lockedAt: new Date(Date.now() + 3_600_000) }, undefined);
    let turns = 0;
    await start({ name: "work", every: 100, run: () => Promise.resolve(void turns++) });
    await until(() => turns > 0);
  });

  it("continue after a machine slept between the lock of a turn and the turn", async () => {
    let turns = 0;
    await startLooking(300, { name: "work", every: 400, run: () => Promise.resolve(void turns++) });
    await until(() => turns === 1);
    const isAhead = async () => {
      const { jobs } = await repository.queryJobs({ name: "work" });
      return jobs.some(({ lockedAt, nextRunAt }) => lockedAt && nextRunAt && nextRunAt.getTime() > Date.now() + 50);
    };
    await until(isAhead);
    const setBack = shiftDate(() => 10_000);
    try {
      await until(() => turns >= 3);
    } finally {
      setBack();
    }
  });

  it("are aborted by a stop, which releases the locks", async () => {
    let begun = 0;
    const run = (signal: AbortSignal) => {
      begun++;
      return new Promise<void>(resolve => signal.addEventListener("abort", () => resolve()));
    };
    const node = await start({ name: "work", every: 3_600_000, run }, { name: "later", every: 3_600_000, run });
    await until(() => begun === 2);
    await node.stop();
    const { jobs } = await repository.queryJobs();
    expect(jobs.map(({ name, lockedAt }) => ({ name, lockedAt }))).toEqual([
      { name: expect.any(String), lockedAt: undefined },
      { name: expect.any(String), lockedAt: undefined },
    ]);
  });
});
