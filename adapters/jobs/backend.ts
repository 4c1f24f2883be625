import type { AgendaBackend, JobRepository } from "agenda";
import type { mongo } from "mongoose";
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

async function openMongo(address: string): Promise<AgendaBackend> {
  // Loaded where it is used alone: it brings the driver along.
  const { MongoBackend } = await import("@agendajs/mongo-backend");
  const options = mongoOptions(address, OWN_OPTIONS) as mongo.MongoClientOptions;
  const backend = new MongoBackend({ address, collection: MONGO_COLLECTION, options });
  try {
    await backend.connect();
  } catch (error) {
    // It may have its connections already, and lack the right to make its index.
    await backend.disconnect().catch(() => undefined);
    throw new StoreUnavailableError(unreachable(error), { cause: error });
  }
  return backend;
}

/** Agenda lets go of some jobs without waiting for it; a store that is away then must not end the process. */
function forgiving(repository: JobRepository, warn: (error: unknown) => void): JobRepository {
  return new Proxy(repository, {
    get(target, name) {
      if (name === "unlockJob")
        return (job: Parameters<JobRepository["unlockJob"]>[0]) => target.unlockJob(job).catch(warn);
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
