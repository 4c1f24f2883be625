import { MongoBackend } from "@agendajs/mongo-backend";
import type { AgendaBackend } from "agenda";
import { MongoClient, type Collection } from "mongodb";
import { isProgrammingError, StoreUnavailableError } from "../store/errors.ts";
import { unreachable } from "../store/mongo/mongo-errors.ts";
import { isDuplicateKey } from "./is-duplicate-key.ts";
import { mongoOptions } from "../store/mongo/mongo-options.ts";

const MONGO_COLLECTION = "agendaJobs";
const OWN_OPTIONS = {
  appName: "weft-jobs",
  maxPoolSize: 5,
  connectTimeoutMS: 5_000,
  serverSelectionTimeoutMS: 5_000,
  socketTimeoutMS: 20_000,
};

/**
 * Creates a unique index, so that each job has one document. Without it, two nodes that create a job at the same moment
 * create two documents, each with its own lock.
 */
async function keepOneOfEach(jobs: Collection): Promise<void> {
  const single = { type: "single" };
  const make = () => jobs.createIndex({ name: 1, type: 1 }, { unique: true, partialFilterExpression: single });
  await make().catch(async (error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
    // Each node recreates its jobs soon.
    await jobs.deleteMany(single);
    await make();
  });
}

/**
 * Opens Agenda's own MongoDB backend, connected.
 * @throws {StoreUnavailableError} when MongoDB cannot be reached.
 */
export async function openMongoJobs(address: string): Promise<Pick<AgendaBackend, "repository" | "disconnect">> {
  const client = new MongoClient(address, mongoOptions(address, OWN_OPTIONS));
  try {
    await client.connect();
    await keepOneOfEach(client.db().collection(MONGO_COLLECTION));
    const backend = new MongoBackend({ mongo: client.db(), collection: MONGO_COLLECTION });
    await backend.connect();
    return { repository: backend.repository, disconnect: () => client.close() };
  } catch (error) {
    await client.close().catch(() => undefined);
    throw isProgrammingError(error) ? error : new StoreUnavailableError(unreachable(error), { cause: error });
  }
}
