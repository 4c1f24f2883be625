import type { Schema } from "mongoose";
import type { Layout } from "./layout.ts";
import type { EmbeddedFile, IndexOp, WriteOp } from "./driver.ts";

/** Port documents carry `id`; both sides keep it as `_id`. */
export interface Doc {
  id: string;
}

/** One collection, made by `defineCollection`. `T` is the document's type and exists for the compiler only. */
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
 * MongoDB's filters, these operators and no others. `null` matches null and missing; a value matches an array field that
 * holds it, and an array field takes no `$gt`, `$gte`, `$lt`, `$lte`, nor is it sorted by. Fields of free-form JSON and whole
 * nested objects cannot be asked for, values must have the field's own type.
 */
export type Filter<T> = {
  [K in keyof T]?: Operand<NonNullable<T[K]>> | null | Operators<Operand<NonNullable<T[K]>>>;
} & { [path: Dotted]: unknown; $and?: readonly Filter<T>[]; $or?: readonly Filter<T>[] };

/** MongoDB's changes, these operators and no others. `$push` adds one string at the end; nothing bounds the array but its callers. */
export interface Change<T> {
  $set?: Partial<Omit<T, "id">> | { [path: Dotted]: unknown };
  $unset?: { [K in keyof T | Dotted]?: true | 1 | "" };
  $inc?: { [K in keyof T | Dotted]?: number };
  $push?: { [K in keyof T | Dotted]?: string };
}

/** Field path to direction. Missing and null come first in ascending order; ties are broken by id, in the last key's direction. */
export type Sort<T> = { [K in keyof T | Dotted]?: 1 | -1 };

export interface FindOptions<T> {
  /** Without it: by id, ascending. */
  sort?: Sort<T>;
  /** 1 to 1000. */
  limit: number;
  /** The `next` of the page before. Documents inserted or removed meanwhile neither repeat nor hide others. */
  after?: string | null;
}

export interface Page<T> {
  items: T[];
  /** Where the next page starts; null on the last one. */
  next: string | null;
}

/**
 * Errors of every method: InvalidFilterError, InvalidChangeError, InvalidDocumentError, TenancyError for what was asked,
 * StoreBusyError, StoreTimeoutError, StoreUnavailableError for what could not be answered.
 */
export interface Collection<T extends Doc> {
  /** Gives back the document with its defaults (free-form JSON by reference). UniqueConflictError. */
  insert(doc: T): Promise<T>;
  /**
   * Not all or none: every document without a conflict is inserted, then UniqueConflictError names the positions of those
   * that were not. At most 10,000 documents.
   */
  insertMany(docs: readonly T[]): Promise<T[]>;
  /** The first match by id, or null. */
  get(filter: Filter<T>): Promise<T | null>;
  /**
   * As `get`, for what nearly every request asks: where that is surely right, the answer comes from memory. The document is
   * shared with other callers and must not be changed.
   */
  shared(filter: Filter<T>): Promise<Readonly<T> | null>;
  /** InvalidCursorError. */
  find(filter: Filter<T>, options: FindOptions<T>): Promise<Page<T>>;
  /**
   * Compare-and-set: finds the first match (by `sort`, else by id) and changes it atomically. Gives back the new document,
   * or null where nothing matched. UniqueConflictError.
   */
  updateOne(filter: Filter<T>, change: Change<T>, options?: { sort?: Sort<T> }): Promise<T | null>;
  /** The number of documents that matched. UniqueConflictError. */
  updateMany(filter: Filter<T>, change: Change<T>): Promise<number>;
  /** Removes all matches, or the first `limit` by id; the number removed. */
  remove(filter: Filter<T>, options?: { limit?: number }): Promise<number>;
  /** At most `limit` where given: that bounds the work. */
  count(filter: Filter<T>, options?: { limit?: number }): Promise<number>;
  /** How many documents have each value of a string, number or boolean field; those without a value are left out. */
  tally(filter: Filter<T>, field: (keyof T & string) | Dotted): Promise<Record<string, number>>;
  /** Writes for `Store.write`. What is wrong with their arguments is thrown here. */
  readonly ops: {
    insert(doc: T): WriteOp;
    /** With `required`, no match is a failure (NotMatchedError) and stops the writes behind it. */
    updateOne(filter: Filter<T>, change: Change<T>, options?: { sort?: Sort<T>; required?: boolean }): WriteOp;
    updateMany(filter: Filter<T>, change: Change<T>): WriteOp;
    remove(filter: Filter<T>, options?: { limit?: number }): WriteOp;
  };
}

export interface Store {
  /** Makes the tables and indexes that these collections need, or adds what a newer schema has more. Call it before anything else. */
  register(specs: readonly CollectionSpec[]): Promise<void>;
  /** One workspace's documents: every filter and every inserted document gets its id. Throws TenancyError for a global collection. */
  tenant<T extends Doc>(spec: CollectionSpec<T>, workspaceId: string): Collection<T>;
  /** Throws TenancyError for a tenant collection. */
  global<T extends Doc>(spec: CollectionSpec<T>): Collection<T>;
  /** A tenant collection without a workspace, for sweeps and claims. Inserted documents must name theirs. */
  acrossTenants<T extends Doc>(spec: CollectionSpec<T>): Collection<T>;
  /**
   * Several writes in order; the first that fails ends them and is thrown. Gives the number of documents that each wrote.
   * The embedded side commits all or none. MongoDB keeps those before the failure: put the truth first and tolerate a prefix.
   * Writes to an index that is not in the embedded side's file follow once the documents are written.
   */
  write(ops: readonly WriteOp[]): Promise<number[]>;
  /** Null with MongoDB. */
  readonly embedded: EmbeddedFile | null;
  /**
   * Proves that a write lands and that reads are answered: on a full disk, or on a MongoDB that takes no writes, it fails.
   * StoreUnavailableError, StoreTimeoutError, StoreBusyError.
   */
  ping(): Promise<void>;
  /** Finishes the writes under way first. */
  close(): Promise<void>;
}

export type { EmbeddedFile, IndexOp, WriteOp };
