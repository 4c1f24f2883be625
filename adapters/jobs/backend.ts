import type { AgendaBackend, JobRepository } from "agenda";
import { isTaken } from "./is-taken.ts";
import type { Store } from "../store/port.ts";
import { JobDocs } from "./job-documents.ts";
import { StoreJobRepository } from "./store-repository.ts";

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
  // Loaded where it is used alone: it brings the driver of MongoDB along.
  const open = async (uri: string) => (await import("./mongo-jobs.ts")).openMongoJobs(uri);
  const mongo = mongodbUri === undefined ? undefined : await open(mongodbUri);
  if (!mongo) await store.register([JobDocs]);
  return {
    name: mongo ? "mongodb" : "embedded",
    repository: forgiving(mongo?.repository ?? new StoreJobRepository(store), warn),
    ownsConnection: true,
    connect: () => Promise.resolve(),
    disconnect: () => mongo?.disconnect() ?? Promise.resolve(),
  };
}
