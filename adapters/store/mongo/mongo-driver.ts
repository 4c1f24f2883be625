import type { ClientSession, Collection, Timestamp } from "mongodb";
import mongoose, { type Connection } from "mongoose";
import type { Driver, IndexOp, PointRead, StoreSpace, WriteOp, WriteOutcome } from "../driver.ts";
import { isProgrammingError, NotMatchedError, StoreUnavailableError } from "../errors.ts";
import { type Condition, matchesNothing } from "../filter.ts";
import type { Layout } from "../layout.ts";
import { checkSort, type SortKey } from "../sort.ts";
import { makeIndexes } from "./make-indexes.ts";
import { batchesOf, outcomesOf, writeBatch } from "./batches.ts";
import { modelOf, type DocumentModel, fromMongo, toMongo, type MongoDocument } from "./model.ts";
import { storeErrorOf, unreachable } from "./mongo-errors.ts";
import { mongoChange, mongoFilter, mongoSort } from "./mongo-filter.ts";
import { checkMongoAddress, mongoOptions, QUERY_MS } from "./mongo-options.ts";
import { Outage } from "./outage.ts";
import { countIn, findEach, findIn, inCommands, tallyIn } from "./reads.ts";
import { STANDALONE_WARNING, isStandalone, spaceOf } from "./server-facts.ts";
import { watchSlowCommands } from "./slow-commands.ts";
import { insertDespiteConflicts, retryConflicts, retryConflictsOfMany } from "./write-conflicts.ts";

/** Faster commands are not logged. */
const SLOW_MS = 1_000;
const PING_MS = 5_000;
/** Holds one document. It is written to prove that writes succeed, and never read. */
const PROBES = "probes";

export interface MongoSettings {
  uri: string;
  /** Commands that take longer are reported, in milliseconds. 0 reports none. */
  slowMs?: number | undefined;
  /** Called about slow commands, a server outside a replica set, and indexes with a different definition. */
  warn?: ((message: string) => void) | undefined;
}

/** The MongoDB driver of the store. It uses Mongoose, on its own connection pool. */
export class MongoDriver implements Driver {
  readonly embedded = null;
  readonly #connection: Connection;
  readonly #outage: Outage;
  readonly #warn: (message: string) => void;
  /** The server's clock at the last answer. Reads wait for it, so that they see every write of this node. */
  #seen: Timestamp | undefined;

  private constructor(connection: Connection, warn: (message: string) => void) {
    this.#connection = connection;
    this.#outage = new Outage(connection.getClient());
    this.#warn = warn;
  }

  /**
   * Connects to MongoDB.
   * @throws {StoreUnavailableError} when no server answers within five seconds, or it refuses the credentials.
   * @throws {MongoAddressError} when the address is invalid.
   */
  static async open({ uri, slowMs = SLOW_MS, warn = () => undefined }: MongoSettings): Promise<MongoDriver> {
    checkMongoAddress(uri);
    const options = { ...mongoOptions(uri), bufferCommands: false, monitorCommands: slowMs > 0 };
    const connection = mongoose.createConnection();
    try {
      await connection.openUri(uri, options);
      if (await isStandalone(connection, PING_MS)) warn(STANDALONE_WARNING);
    } catch (error) {
      await connection.destroy().catch(() => undefined);
      throw isProgrammingError(error) ? error : new StoreUnavailableError(unreachable(error), { cause: error });
    }
    if (slowMs > 0) watchSlowCommands(connection.getClient(), slowMs, warn);
    return new MongoDriver(connection, warn);
  }

  async register(layouts: readonly Layout[]): Promise<void> {
    for (const layout of layouts)
      await this.#run(layout, model =>
        makeIndexes(model.collection as unknown as Collection, layout, QUERY_MS, this.#warn),
      );
  }

  async write(ops: readonly WriteOp[]): Promise<WriteOutcome[]> {
    const outcomes: WriteOutcome[] = [];
    for (const batch of batchesOf(ops)) {
      const [op] = batch;
      if (!op) continue;
      if (op.kind === "index") outcomes.push({ count: 0 });
      else if (batch.length === 1)
        outcomes.push(await this.#run(op.layout, (model, session) => this.#write(model, op, session)));
      else
        outcomes.push(
          ...(await this.#run(op.layout, ({ collection }, session) => writeBatch(collection, batch, session))),
        );
    }
    return outcomesOf(ops, outcomes);
  }

  async get(layout: Layout, where: Condition): Promise<Record<string, unknown> | null> {
    return (await this.find(layout, where, checkSort(layout), 1))[0] ?? null;
  }

  async getEach(reads: readonly PointRead[]): Promise<(Record<string, unknown> | null)[]> {
    const found = await Promise.all(inCommands(reads).map(some => this.#getTogether(some)));
    return found.flat();
  }

  async #getTogether(reads: readonly PointRead[]): Promise<(Record<string, unknown> | null)[]> {
    const [first] = reads;
    if (!first) return [];
    if (reads.length === 1) return [await this.get(first.layout, first.where)];
    return this.#run(first.layout, ({ collection }, session) => findEach(collection, reads, session));
  }

  async find(
    layout: Layout,
    where: Condition,
    sort: readonly SortKey[],
    limit: number,
  ): Promise<Record<string, unknown>[]> {
    if (matchesNothing(where)) return [];
    return this.#run(layout, ({ collection }, session) => findIn(collection, layout, { where, sort, limit }, session));
  }

  async count(layout: Layout, where: Condition, limit: number | null): Promise<number> {
    if (matchesNothing(where)) return 0;
    return this.#run(layout, ({ collection }, session) => countIn(collection, where, limit, session));
  }

  async tally(layout: Layout, where: Condition, path: string, of?: string): Promise<Record<string, number>> {
    if (matchesNothing(where)) return {};
    return this.#run(layout, ({ collection }, session) => tallyIn(collection, where, path, session, of));
  }

  /** Any process may write to a server, so access is never exclusive. */
  epoch(): null {
    return null;
  }

  /**
   * Writes a document of its own, because a server that refuses writes or has lost its majority still answers `ping`.
   */
  async ping(): Promise<void> {
    try {
      const probes = this.#connection.collection<{ _id: string; at: Date }>(PROBES);
      const options = { upsert: true, timeoutMS: PING_MS };
      // All nodes write the same document.
      await retryConflicts(() => probes.updateOne({ _id: "write" }, { $set: { at: new Date() } }, options));
    } catch (error) {
      throw storeErrorOf(null, error);
    }
  }

  async space(): Promise<StoreSpace> {
    return spaceOf(this.#connection, PING_MS).catch((error: unknown) => {
      throw storeErrorOf(null, error);
    });
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #write(model: DocumentModel, op: Exclude<WriteOp, IndexOp>, session: ClientSession): Promise<WriteOutcome> {
    if (op.kind !== "insert" && matchesNothing(op.where)) {
      if (op.kind === "update" && op.required) throw new NotMatchedError(op.layout.name);
      return { count: 0 };
    }
    if (op.kind === "insert" && op.docs.length === 0) return { count: 0 };
    switch (op.kind) {
      case "insert":
        await this.#insert(model, op.docs.map(toMongo), session);
        return { count: op.docs.length };
      case "update":
        return this.#update(model, op, session);
      case "remove":
        return { count: await this.#remove(model, mongoFilter(op.where), op.limit, session) };
    }
  }

  /**
   * Inserts without Mongoose's casting. The documents are already validated, and a second check would cost more than
   * the insert.
   */
  async #insert({ collection }: DocumentModel, docs: readonly object[], session: ClientSession): Promise<void> {
    const options = { maxTimeMS: QUERY_MS, session };
    const [first] = docs;
    // A single document uses insertOne. When a batch does not reach the server, for example after a time-out, the
    // driver reports only the message.
    if (first && docs.length === 1) await retryConflicts(() => collection.insertOne(first, options));
    else await insertDespiteConflicts(docs, some => collection.insertMany(some, { ...options, ordered: false }));
  }

  async #update(model: DocumentModel, op: WriteOp & { kind: "update" }, session: ClientSession): Promise<WriteOutcome> {
    const filter = mongoFilter(op.where);
    const change = mongoChange(op.change);
    const options = { maxTimeMS: QUERY_MS, session };
    if (op.many) {
      const isRepeatable = op.change.inc.length === 0 && op.change.push.length === 0;
      const update = () => model.updateMany(filter, change, options).exec();
      const { matchedCount } = await retryConflictsOfMany(update, isRepeatable);
      return { count: matchedCount };
    }
    const update = () =>
      model
        .findOneAndUpdate(filter, change, { ...options, returnDocument: "after", sort: mongoSort(op.sort) })
        .select(op.returning ? {} : { _id: 1 })
        .lean()
        .exec();
    const document = (await retryConflicts(update)) as MongoDocument | null;
    if (!document && op.required) throw new NotMatchedError(op.layout.name);
    if (!document) return { count: 0 };
    return op.returning ? { count: 1, document: fromMongo(op.layout, document) } : { count: 1 };
  }

  async #remove(
    model: DocumentModel,
    filter: Record<string, unknown>,
    limit: number | null,
    session: ClientSession,
  ): Promise<number> {
    let chosen = filter;
    if (limit !== null) {
      const options = { session, limit, batchSize: limit, maxTimeMS: QUERY_MS };
      const first = (await model.find(filter, { _id: 1 }, options).sort({ _id: 1 }).lean()) as { _id: string }[];
      if (first.length === 0) return 0;
      // The filter is applied again, because the documents may have changed since the first query.
      chosen = { $and: [filter, { _id: { $in: first.map(({ _id }) => _id) } }] };
    }
    const remove = () => model.deleteMany(chosen, { maxTimeMS: QUERY_MS, session }).exec();
    return (await retryConflicts(remove)).deletedCount;
  }

  async #run<T>(layout: Layout, work: (model: DocumentModel, session: ClientSession) => Promise<T>): Promise<T> {
    let session: ClientSession | undefined;
    try {
      this.#outage.check();
      const model = modelOf(this.#connection, layout);
      // Majority reads from the primary are not enough: a read right after a failover could miss a write that was
      // acknowledged before it.
      session = this.#connection.getClient().startSession({ causalConsistency: true });
      if (this.#seen) session.advanceOperationTime(this.#seen);
      return await work(model, session);
    } catch (error) {
      throw storeErrorOf(layout, error);
    } finally {
      const time = session?.operationTime;
      if (time && (!this.#seen || time.greaterThan(this.#seen))) this.#seen = time;
      await session?.endSession();
    }
  }
}
