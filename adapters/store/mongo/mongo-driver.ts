import mongoose, { type Connection, type Model } from "mongoose";
import type { Driver, IndexOp, WriteOp, WriteOutcome } from "../driver.ts";
import { NotMatchedError, StoreUnavailableError } from "../errors.ts";
import type { Condition } from "../filter.ts";
import type { Layout } from "../layout.ts";
import type { SortKey } from "../sort.ts";
import { fromMongo, toMongo, type MongoDocument } from "./mongo-documents.ts";
import { storeErrorOf } from "./mongo-errors.ts";
import { mongoChange, mongoFilter, mongoPath, mongoSort } from "./mongo-filter.ts";

type DocumentModel = Model<MongoDocument>;

const QUERY_MS = 10_000;
const OPTIONS = {
  // What is acknowledged survives the loss of any minority of the servers, and what is read is never taken back.
  writeConcern: { w: "majority", journal: true, wtimeoutMS: QUERY_MS },
  readConcern: { level: "majority" },
  readPreference: "primary",
  maxPoolSize: 50,
  waitQueueTimeoutMS: QUERY_MS,
  connectTimeoutMS: 5000,
  serverSelectionTimeoutMS: 5000,
  socketTimeoutMS: 30_000,
  bufferCommands: false,
} as const;

/** The real side: MongoDB by Mongoose, on a connection pool of its own. */
export class MongoDriver implements Driver {
  readonly embedded = null;
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** StoreUnavailableError when no server answers within five seconds. */
  static async open(uri: string): Promise<MongoDriver> {
    try {
      return new MongoDriver(await mongoose.createConnection(uri, OPTIONS).asPromise());
    } catch (error) {
      throw new StoreUnavailableError(`cannot reach MongoDB: ${(error as Error).message}`, { cause: error });
    }
  }

  async register(layouts: readonly Layout[]): Promise<void> {
    for (const layout of layouts) {
      const indexes = layout.indexes.map(({ name, keys, unique, partial }) => ({
        name,
        key: Object.fromEntries(keys.map(([path, direction]) => [mongoPath(path), direction])),
        ...(unique && { unique }),
        ...(partial && { partialFilterExpression: mongoFilter(partial) }),
      }));
      if (indexes.length > 0) await this.#run(layout, model => model.collection.createIndexes(indexes));
    }
  }

  async write(ops: readonly WriteOp[]): Promise<WriteOutcome[]> {
    const outcomes: WriteOutcome[] = [];
    for (const op of ops)
      outcomes.push(op.kind === "index" ? { count: 0 } : await this.#run(op.layout, model => this.#write(model, op)));
    return outcomes;
  }

  async get(layout: Layout, where: Condition): Promise<Record<string, unknown> | null> {
    return (await this.find(layout, where, [], 1))[0] ?? null;
  }

  find(layout: Layout, where: Condition, sort: readonly SortKey[], limit: number): Promise<Record<string, unknown>[]> {
    return this.#run(layout, async model => {
      const found = model.find(mongoFilter(where)).sort(mongoSort(sort)).limit(limit).maxTimeMS(QUERY_MS).lean();
      return ((await found) as MongoDocument[]).map(document => fromMongo(layout, document));
    });
  }

  count(layout: Layout, where: Condition, limit: number | null): Promise<number> {
    const options = { maxTimeMS: QUERY_MS, ...(limit !== null && { limit }) };
    return this.#run(layout, async model => await model.countDocuments(mongoFilter(where), options));
  }

  tally(layout: Layout, where: Condition, path: string): Promise<Record<string, number>> {
    return this.#run(layout, async model => {
      const field = mongoPath(path);
      const match = { $and: [mongoFilter(where), { [field]: { $ne: null } }] };
      const group = { _id: `$${field}`, count: { $sum: 1 } };
      const groups = await model
        .aggregate<{ _id: unknown; count: number }>([{ $match: match }, { $group: group }])
        .option({ maxTimeMS: QUERY_MS });
      return Object.fromEntries(groups.map(({ _id, count }) => [String(_id), count]));
    });
  }

  /** Anybody may write to a server. */
  spell(): null {
    return null;
  }

  async ping(): Promise<void> {
    try {
      await this.#connection.db?.command({ ping: 1 }, { timeoutMS: 5000 });
    } catch (error) {
      throw storeErrorOf(null, error);
    }
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #write(model: DocumentModel, op: Exclude<WriteOp, IndexOp>): Promise<WriteOutcome> {
    switch (op.kind) {
      case "insert":
        // Past Mongoose's own casting: these documents are checked already, and a second look would cost more than the insert.
        await model.collection.insertMany(op.docs.map(toMongo) as object[], { ordered: false });
        return { count: op.docs.length };
      case "update":
        return this.#update(model, op);
      case "remove":
        return { count: await this.#remove(model, mongoFilter(op.where), op.limit) };
    }
  }

  async #update(model: DocumentModel, op: WriteOp & { kind: "update" }): Promise<WriteOutcome> {
    const filter = mongoFilter(op.where);
    const change = mongoChange(op.change);
    if (op.many) return { count: (await model.updateMany(filter, change, { maxTimeMS: QUERY_MS })).matchedCount };
    const document = (await model
      .findOneAndUpdate(filter, change, { returnDocument: "after", sort: mongoSort(op.sort), maxTimeMS: QUERY_MS })
      .select(op.returning ? {} : { _id: 1 })
      .lean()) as MongoDocument | null;
    if (!document && op.required) throw new NotMatchedError(op.layout.name);
    if (!document) return { count: 0 };
    return op.returning ? { count: 1, document: fromMongo(op.layout, document) } : { count: 1 };
  }

  async #remove(model: DocumentModel, filter: Record<string, unknown>, limit: number | null): Promise<number> {
    let chosen = filter;
    if (limit !== null) {
      const first = model.find(filter, { _id: 1 }).sort({ _id: 1 }).limit(limit).maxTimeMS(QUERY_MS).lean();
      const ids = ((await first) as { _id: string }[]).map(({ _id }) => _id);
      // Asked again with the filter: they may have changed in between.
      chosen = { $and: [filter, { _id: { $in: ids } }] };
    }
    return (await model.deleteMany(chosen, { maxTimeMS: QUERY_MS })).deletedCount;
  }

  async #run<T>(layout: Layout, work: (model: DocumentModel) => Promise<T>): Promise<T> {
    try {
      const { name, schema } = layout;
      const known = this.#connection.models[name] as DocumentModel | undefined;
      return await work(known ?? (this.#connection.model(name, schema, name) as unknown as DocumentModel));
    } catch (error) {
      throw storeErrorOf(layout, error);
    }
  }
}
