import type { AgendaBackend, JobRepository } from "agenda";
import type { Store } from "../store/port.ts";
import { JobDocs } from "./job-documents.ts";
import { isDuplicateKey } from "./is-duplicate-key.ts";
import { StoreJobRepository } from "./store-repository.ts";

/**
 * Makes a repository tolerant. Agenda unlocks some jobs without awaiting the result, and an unavailable store must not
 * end the process then. A job that another node inserted a moment ago is updated instead.
 */
function tolerant(repository: JobRepository, warn: (error: unknown) => void): JobRepository {
  return new Proxy(repository, {
    get(target, name) {
      if (name === "unlockJob")
        return (job: Parameters<JobRepository["unlockJob"]>[0]) => target.unlockJob(job).catch(warn);
      if (name === "saveJob")
        return (...given: Parameters<JobRepository["saveJob"]>) =>
          target.saveJob(...given).catch((error: unknown) => {
            if (isDuplicateKey(error)) return target.saveJob(...given);
            throw error;
          });
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/**
 * Opens the storage of Agenda's jobs: MongoDB with Agenda's own backend, else the embedded store. The backend is
 * returned connected, because Agenda ignores a failure to connect.
 * @throws {StoreUnavailableError} when MongoDB cannot be reached.
 */
export async function openBackend(
  { store, mongodbUri }: { store: Store; mongodbUri?: string | undefined },
  warn: (error: unknown) => void,
): Promise<AgendaBackend> {
  // Loaded only when it is used, because it loads the MongoDB driver.
  const open = async (uri: string) => (await import("./mongo-jobs.ts")).openMongoJobs(uri);
  const mongo = mongodbUri === undefined ? undefined : await open(mongodbUri);
  if (!mongo) await store.register([JobDocs]);
  return {
    name: mongo ? "mongodb" : "embedded",
    repository: tolerant(mongo?.repository ?? new StoreJobRepository(store), warn),
    ownsConnection: true,
    connect: () => Promise.resolve(),
    disconnect: () => mongo?.disconnect() ?? Promise.resolve(),
  };
}
