import type { AgendaBackend, JobRepository } from "agenda";
import mongoose, { type mongo } from "mongoose";
import { StoreUnavailableError } from "../store/errors.ts";
import { unreachable } from "../store/mongo/mongo-errors.ts";
import { mongoOptions } from "../store/mongo/mongo-options.ts";
import type { Store } from "../store/port.ts";
import { JobDocs } from "./job-documents.ts";
import { StoreJobRepository } from "./store-repository.ts";

const MONGO_COLLECTION = "agendaJobs";
const OWN_OPTIONS = {
  appName: "weft-jobs",
  maxPoolSize: 5,
  connectTimeoutMS: 5_000,
  serverSelectionTimeoutMS: 5_000,
  socketTimeoutMS: 20_000,
};

const DUPLICATE_KEY = 11000;
const isTaken = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === DUPLICATE_KEY;

/** One document for each job: without an index two nodes that make it at the same moment make two, each with a lock of its own. */
async function keepOneOfEach(jobs: mongo.Collection): Promise<void> {
  const single = { type: "single" };
  const make = () => jobs.createIndex({ name: 1, type: 1 }, { unique: true, partialFilterExpression: single });
  await make().catch(async (error: unknown) => {
    if (!isTaken(error)) throw error;
    // Each node makes its jobs again soon.
    await jobs.deleteMany(single);
    await make();
  });
}

async function openMongo(address: string): Promise<Pick<AgendaBackend, "repository" | "disconnect">> {
  // Loaded where it is used alone: it brings the driver along.
  const { MongoBackend } = await import("@agendajs/mongo-backend");
  const client = new mongoose.mongo.MongoClient(address, mongoOptions(address, OWN_OPTIONS));
  try {
    await client.connect();
    await keepOneOfEach(client.db().collection(MONGO_COLLECTION));
    const backend = new MongoBackend({ mongo: client.db(), collection: MONGO_COLLECTION });
    await backend.connect();
    return { repository: backend.repository, disconnect: () => client.close() };
  } catch (error) {
    await client.close().catch(() => undefined);
    throw new StoreUnavailableError(unreachable(error), { cause: error });
  }
}

/**
 * Agenda lets go of some jobs without waiting for it; a store that is away then must not end the process. And a job that
 * another node made a moment ago is there to be updated.
 */
function forgiving(repository: JobRepository, warn: (error: unknown) => void): JobRepository {
  return new Proxy(repository, {
    get(target, name) {
      if (name === "unlockJob")
        return (job: Parameters<JobRepository["unlockJob"]>[0]) => target.unlockJob(job).catch(warn);
      if (name === "saveJob")
        return (...given: Parameters<JobRepository["saveJob"]>) =>
          target.saveJob(...given).catch((error: unknown) => {
            if (isTaken(error)) return target.saveJob(...given);
            throw error;
          });
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/**
 * Where Agenda keeps its jobs: in MongoDB by its own backend, else in the embedded store by ours. It is connected: Agenda
 * would leave a failure to connect unheard. StoreUnavailableError.
 */
export async function openBackend(
  { store, mongodbUri }: { store: Store; mongodbUri?: string | undefined },
  warn: (error: unknown) => void,
): Promise<AgendaBackend> {
  const mongo = mongodbUri === undefined ? undefined : await openMongo(mongodbUri);
  if (!mongo) await store.register([JobDocs]);
  return {
    name: mongo ? "mongodb" : "embedded",
    repository: forgiving(mongo?.repository ?? new StoreJobRepository(store), warn),
    ownsConnection: true,
    connect: () => Promise.resolve(),
    disconnect: () => mongo?.disconnect() ?? Promise.resolve(),
  };
}
