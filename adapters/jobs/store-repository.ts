import {
  computeJobState,
  type JobParameters,
  type JobRepository,
  type JobRepositoryOptions,
  type JobsOverview,
  type JobsQueryOptions,
  type JobsResult,
  type JobWithState,
  type RemoveJobsOptions,
} from "agenda";
import { isDeepStrictEqual } from "node:util";
import { v7 as uuid } from "uuid";
import type { Collection, Filter, Store } from "../store/port.ts";
import { isUniqueConflict } from "../store/errors.ts";
import { definitionOf, type JobDoc, JobDocs, stateOf, toJob } from "./job-documents.ts";

/** There are only a few jobs: the periodic ones of the services. */
const MAX_JOBS = 1_000;

const isPartOf = (part: unknown, data: unknown): boolean =>
  typeof part === "object" && part !== null && typeof data === "object" && data !== null && !Array.isArray(part)
    ? Object.entries(part).every(([key, value]) => isPartOf(value, (data as Record<string, unknown>)[key]))
    : isDeepStrictEqual(part, data);

/** Whether the options select this job. Options without criteria select no job. */
function names(options: RemoveJobsOptions, job: JobParameters): boolean {
  const {
    id,
    ids = id === undefined ? undefined : [id],
    name,
    names = name === undefined ? undefined : [name],
  } = options;
  const { notNames, data } = options;
  if (!ids && !names && !notNames && data === undefined) return false;
  if (ids && !ids.some(one => String(one) === job._id)) return false;
  if (names && !names.includes(job.name)) return false;
  if (!names && notNames?.includes(job.name)) return false;
  return data === undefined || isPartOf(data, job.data);
}

function compare(a: JobParameters, b: JobParameters, sort: JobsQueryOptions["sort"]): number {
  for (const [field, direction] of Object.entries(sort ?? { nextRunAt: "desc" })) {
    const [x, y] = [a, b].map(job => job[field as keyof JobParameters] ?? 0) as [number, number];
    if (x < y || x > y) return x < y === (direction === "asc") ? -1 : 1;
  }
  return 0;
}

/**
 * Stores Agenda's jobs in Weft's own store, with the guarantees of Agenda's MongoDB backend: a job is locked by
 * compare-and-set. The id of a job of type `single` is its name. Unique keys and debouncing, by which Agenda merges
 * jobs, are refused.
 */
export class StoreJobRepository implements JobRepository {
  private readonly docs: Collection<JobDoc>;

  constructor(store: Store) {
    this.docs = store.global(JobDocs);
  }

  connect(): Promise<void> {
    return Promise.resolve();
  }

  private async all(): Promise<JobParameters[]> {
    const { items } = await this.docs.find({}, { limit: MAX_JOBS });
    return items.map(toJob);
  }

  async queryJobs(options: JobsQueryOptions = {}): Promise<JobsResult> {
    const { search, state, includeDisabled = true, sort, skip = 0, limit = 0, ...named } = options;
    const wanted: RemoveJobsOptions = named;
    const anyName = Object.values(wanted).every(value => value === undefined);
    const found = (await this.all())
      .filter(job => anyName || names(wanted, job))
      .filter(job => !search || job.name.toLowerCase().includes(search.toLowerCase()))
      .filter(job => includeDisabled || !job.disabled)
      .map(job => ({ ...job, state: computeJobState(job) }) as JobWithState)
      .filter(job => !state || (state === "paused" ? job.disabled === true : job.state === state))
      .sort((a, b) => compare(a, b, sort));
    return { jobs: found.slice(skip, limit > 0 ? skip + limit : undefined), total: found.length };
  }

  async getJobsOverview(): Promise<JobsOverview[]> {
    const { jobs } = await this.queryJobs();
    const none = { running: 0, scheduled: 0, queued: 0, completed: 0, failed: 0, repeating: 0, paused: 0 };
    const byName = Object.entries(Object.groupBy(jobs, job => job.name));
    return byName.map(([name, group = []]) => {
      const overview: JobsOverview = { name, total: group.length, ...none };
      for (const job of group) overview[job.state]++;
      return overview;
    });
  }

  async getDistinctJobNames(): Promise<string[]> {
    return [...new Set((await this.all()).map(job => job.name))];
  }

  async getJobById(id: string): Promise<JobParameters | null> {
    const doc = await this.docs.get({ id });
    return doc && toJob(doc);
  }

  getQueueSize(): Promise<number> {
    return this.docs.count({ nextRunAt: { $lt: new Date() } });
  }

  private async idsOf(options: RemoveJobsOptions): Promise<string[]> {
    return (await this.all()).filter(job => names(options, job)).map(job => String(job._id));
  }

  async removeJobs(options: RemoveJobsOptions): Promise<number> {
    return this.docs.remove({ id: { $in: await this.idsOf(options) } });
  }

  async disableJobs(options: RemoveJobsOptions): Promise<number> {
    return this.docs.updateMany({ id: { $in: await this.idsOf(options) } }, { $set: { disabled: true } });
  }

  async enableJobs(options: RemoveJobsOptions): Promise<number> {
    return this.docs.updateMany({ id: { $in: await this.idsOf(options) } }, { $set: { disabled: false } });
  }

  purgeAllJobs(): Promise<number> {
    return this.docs.remove({});
  }

  async saveJob<DATA = unknown>(
    job: JobParameters<DATA>,
    options: JobRepositoryOptions | undefined,
  ): Promise<JobParameters<DATA>> {
    if (job.unique || job.uniqueOpts)
      throw new Error("Jobs are identified by their names; unique keys are not supported.");
    const given = { ...job, lastModifiedBy: options?.lastModifiedBy } as JobParameters;
    const { name, type, _id: known } = given;
    const fields = { name, disabled: given.disabled ?? false, definition: definitionOf(given) };
    const state = stateOf(given);
    const saved = (doc: JobDoc | null) => (doc ? toJob(doc) : job) as JobParameters<DATA>;
    if (known) return saved(await this.docs.updateOne({ id: known }, { $set: { ...fields, ...state } }));
    const id = type === "single" ? name : uuid();
    // An existing job keeps its state. A job that is already due keeps its due time too.
    const isDue = given.nextRunAt !== null && given.nextRunAt <= new Date();
    const kept = { $set: { ...fields, ...(!isDue && { nextRunAt: given.nextRunAt }) } };
    const existing = await this.docs.updateOne({ id }, kept);
    if (existing) return saved(existing);
    try {
      return saved(await this.docs.insert({ id, ...fields, ...state }));
    } catch (error) {
      if (!isUniqueConflict(error)) throw error;
      return saved(await this.docs.updateOne({ id }, kept));
    }
  }

  async saveJobState(job: JobParameters, options: JobRepositoryOptions | undefined): Promise<void> {
    const state = { ...stateOf(job), lastModifiedBy: options?.lastModifiedBy ?? null };
    const saved = job._id && (await this.docs.updateOne({ id: job._id, name: job.name }, { $set: state }));
    if (!saved) throw new Error(`The job ${job.name} no longer exists.`);
  }

  private async lock(filter: Filter<JobDoc>, now: Date, options: JobRepositoryOptions | undefined) {
    const open: Filter<JobDoc> = { ...filter, disabled: false };
    // Usually there is nothing to lock, and reading is cheaper than writing.
    if (!(await this.docs.get(open))) return undefined;
    const $set = { lockedAt: now, lastModifiedBy: options?.lastModifiedBy ?? null };
    const locked = await this.docs.updateOne(open, { $set }, { sort: { nextRunAt: 1 } });
    return locked ? toJob(locked) : undefined;
  }

  async lockJob(job: JobParameters, options: JobRepositoryOptions | undefined): Promise<JobParameters | undefined> {
    if (!job._id) return undefined;
    const { _id: id, name, nextRunAt } = job;
    return this.lock({ id, name, nextRunAt, lockedAt: null }, new Date(), options);
  }

  getNextJobToRun(
    name: string,
    nextScanAt: Date,
    lockDeadline: Date,
    now: Date | undefined,
    options: JobRepositoryOptions | undefined,
  ): Promise<JobParameters | undefined> {
    const free = { lockedAt: null, nextRunAt: { $lte: nextScanAt } };
    const lapsed = { lockedAt: { $lte: lockDeadline } };
    return this.lock({ name, $or: [free, lapsed] }, now ?? new Date(), options);
  }

  async unlockJob(job: JobParameters): Promise<void> {
    if (job._id) await this.docs.updateOne({ id: job._id, nextRunAt: { $ne: null } }, { $set: { lockedAt: null } });
  }

  async unlockJobs(ids: string[]): Promise<void> {
    await this.docs.updateMany({ id: { $in: ids } }, { $set: { lockedAt: null } });
  }
}
