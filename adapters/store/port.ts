import type { Schema } from "mongoose";
import type { Layout } from "./layout.ts";
import type { EmbeddedFile, IndexOp, StoreSpace, WriteOp } from "./driver.ts";

/** Documents of the port have an `id`. Both drivers store it as `_id`. */
export interface Doc {
  id: string;
}

/** A collection from `defineCollection`. `T` is the type of its documents, which only the compiler knows. */
export interface CollectionSpec<T extends Doc = Doc> {
  readonly name: string;
  readonly schema: Schema;
  /** Whether every document belongs to one workspace. */
  readonly tenant: boolean;
  readonly layout: Layout;
  readonly document?: T;
}

/** A path into a nested object, such as `lease.owner`. */
type Dotted = `${string}.${string}`;
type Operand<V> = V extends readonly (infer E)[] ? E : V;

export interface Operators<V> {
  $eq?: V | null;
  $ne?: V | null;
  $gt?: V;
  $gte?: V;
  $lt?: V;
  $lte?: V;
  $in?: readonly (V | null)[];
  $nin?: readonly (V | null)[];
  $exists?: boolean;
}

/**
 * MongoDB's filters with these operators and no others. `null` matches null and missing. A value matches an array field
 * that contains it. Array fields allow no `$gt`, `$gte`, `$lt`, `$lte` and no sort. Free-form JSON and whole nested
 * objects cannot be filtered by, and values must have the field's own type.
 */
export type Filter<T> = {
  [K in keyof T]?: Operand<NonNullable<T[K]>> | null | Operators<Operand<NonNullable<T[K]>>>;
} & { [path: Dotted]: unknown; $and?: readonly Filter<T>[]; $or?: readonly Filter<T>[] };

/**
 * MongoDB's changes with these operators and no others. `$push` appends one string. Callers have to limit the length of
 * the array.
 */
export interface Change<T> {
  $set?: Partial<Omit<T, "id">> | { [path: Dotted]: unknown };
  $unset?: { [K in keyof T | Dotted]?: true | 1 | "" };
  $inc?: { [K in keyof T | Dotted]?: number };
  $push?: { [K in keyof T | Dotted]?: string };
}

/**
 * Maps field paths to directions. Missing and null come first in ascending order. Ties are ordered by id, in the last
 * key's direction.
 */
export type Sort<T> = { [K in keyof T | Dotted]?: 1 | -1 };

export interface FindOptions<T> {
  /** Defaults to id, ascending. */
  sort?: Sort<T>;
  /** 1 to 1000. */
  limit: number;
  /**
   * The `next` of the previous page. Documents that are inserted or removed meanwhile neither repeat nor hide others.
   */
  after?: string | null;
}

export interface Page<T> {
  items: T[];
  /** Where the next page starts; null on the last page. */
  next: string | null;
}

/**
 * The documents of a collection. The errors below apply to every method.
 * @throws {InvalidFilterError} when a filter, sort or limit is invalid.
 * @throws {InvalidChangeError} when a change is invalid.
 * @throws {InvalidDocumentError} when a document is invalid, or too large.
 * @throws {TenancyError} when an argument names another workspace.
 * @throws {StoreBusyError} when too many writes are waiting.
 * @throws {StoreTimeoutError} when the store does not answer in time.
 * @throws {StoreUnavailableError} when the store is closed, unreachable or broken.
 */
export interface Collection<T extends Doc> {
  /**
   * Inserts a document. Returns it with its defaults (free-form JSON by reference).
   * @throws {UniqueConflictError} when a unique index holds the values already.
   */
  insert(doc: T): Promise<T>;
  /**
   * Inserts at most 10,000 documents. The insert is not atomic: every document without a conflict is inserted.
   * @throws {UniqueConflictError} with the positions of the documents that were not inserted.
   */
  insertMany(docs: readonly T[]): Promise<T[]>;
  /** The first match by id, or null. */
  get(filter: Filter<T>): Promise<T | null>;
  /**
   * Like `get`, for documents that nearly every request reads. It answers from memory if the copy is certainly current.
   * The document is shared with other callers and must not be changed.
   */
  shared(filter: Filter<T>): Promise<Readonly<T> | null>;
  /** @throws {InvalidCursorError} when `after` does not belong to this list. */
  find(filter: Filter<T>, options: FindOptions<T>): Promise<Page<T>>;
  /**
   * Compare-and-set: finds the first match (by `sort`, else by id) and changes it atomically. Returns the new document,
   * or null if nothing matched.
   * @throws {UniqueConflictError} when a unique index already contains the new values.
   */
  updateOne(filter: Filter<T>, change: Change<T>, options?: { sort?: Sort<T> }): Promise<T | null>;
  /**
   * Changes all matches. Returns their number.
   * @throws {UniqueConflictError} when a unique index already contains the new values.
   */
  updateMany(filter: Filter<T>, change: Change<T>): Promise<number>;
  /** Removes all matches, or the first `limit` by id. Returns the number of removed documents. */
  remove(filter: Filter<T>, options?: { limit?: number }): Promise<number>;
  /** Counts the matches. A `limit` bounds the work and the result. */
  count(filter: Filter<T>, options?: { limit?: number }): Promise<number>;
  /**
   * Counts the documents by the value of a string, number or boolean field. With `of`, it adds up this number field
   * instead. Documents without a value are left out.
   */
  tally(filter: Filter<T>, field: (keyof T & string) | Dotted, of?: keyof T & string): Promise<Record<string, number>>;
  /** Operations for `Store.write`. Invalid arguments are thrown here. */
  readonly ops: {
    /**
     * With `passing`, it also conflicts if a unique index of one of these fields already contains their values. The
     * document does not keep them. MongoDB writes them with the document and removes them with the next write.
     */
    insert(doc: T, passing?: Partial<T>): WriteOp;
    /**
     * With `required`, an update without a match fails with NotMatchedError and stops the later writes. With `counted:
     * false`, its number may be 0 although a document matched, so that MongoDB gets many such updates in one command.
     * The filter must name an id then.
     */
    updateOne(
      filter: Filter<T>,
      change: Change<T>,
      options?: { sort?: Sort<T>; required?: boolean; counted?: boolean },
    ): WriteOp;
    updateMany(filter: Filter<T>, change: Change<T>): WriteOp;
    remove(filter: Filter<T>, options?: { limit?: number }): WriteOp;
  };
}

export interface Store {
  /**
   * Creates the tables and indexes of these collections, or adds those that a newer schema needs. Call it before
   * anything else.
   */
  register(specs: readonly CollectionSpec[]): Promise<void>;
  /**
   * One workspace's documents. The workspace's id is added to every filter and every inserted document.
   * @throws {TenancyError} when the collection is global.
   */
  tenant<T extends Doc>(spec: CollectionSpec<T>, workspaceId: string): Collection<T>;
  /** @throws {TenancyError} when the collection is a tenant collection. */
  global<T extends Doc>(spec: CollectionSpec<T>): Collection<T>;
  /** A tenant collection across workspaces, for sweeps and claims. Inserted documents must name their workspace. */
  acrossTenants<T extends Doc>(spec: CollectionSpec<T>): Collection<T>;
  /**
   * Executes writes in order, up to the first failure. Returns the number of documents that each one wrote. The
   * embedded driver commits all or none. MongoDB keeps the writes before the failure, so put the source of truth first
   * and tolerate a prefix. Writes to an index outside the embedded driver's file run after the documents are written.
   * @throws the first failure.
   */
  write(ops: readonly WriteOp[]): Promise<number[]>;
  /** Null with MongoDB. */
  readonly embedded: EmbeddedFile | null;
  /**
   * The size of the store, including the index in the embedded driver's file.
   * @throws {StoreUnavailableError} when the store cannot be reached.
   */
  space(): Promise<StoreSpace>;
  /**
   * Proves that writes and reads succeed. Fails on a full disk, and on a MongoDB that refuses writes.
   * @throws {StoreUnavailableError} when the store cannot write or read.
   * @throws {StoreTimeoutError} when it does not answer in time.
   * @throws {StoreBusyError} when too many requests are waiting.
   */
  ping(): Promise<void>;
  /** Closes the store after its running writes. */
  close(): Promise<void>;
}

export type { EmbeddedFile, IndexOp, StoreSpace, WriteOp };
