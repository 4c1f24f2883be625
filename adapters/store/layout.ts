import type { Schema } from "mongoose";
import { InvalidCollectionError } from "./errors.ts";
import type { Branch, DeclaredField, Field, Fields } from "./fields.ts";
import { checkFilter, type Condition } from "./filter.ts";

export interface Index {
  readonly name: string;
  readonly keys: readonly (readonly [path: string, direction: 1 | -1])[];
  readonly unique: boolean;
  readonly partial: Condition | null;
  readonly mixed: boolean;
}

export interface IndexOptions {
  readonly unique?: boolean;
  /** The index contains only the documents that match. */
  readonly partialFilterExpression?: object;
  /** A sort reads the index in both directions at once, such as one value after another, each from the newest on. */
  readonly mixed?: boolean;
}

/** The keys and options of an index, as the collection declares it. */
export type DeclaredIndex = readonly [keys: Readonly<Record<string, unknown>>, options?: IndexOptions];

/** The properties of a collection that both drivers need. */
export interface Layout extends Fields {
  readonly name: string;
  readonly tenant: boolean;
  /** Mongoose's schema. It is created when it is first read, which loads Mongoose's schema class. */
  readonly schema: Schema;
  readonly defaults: readonly Field[];
  readonly required: readonly Field[];
  readonly dates: readonly Field[];
  readonly json: readonly string[];
  readonly indexes: readonly Index[];
  /** The fields that indexes use, except `id` and lists. */
  readonly indexed: readonly Field[];
}

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;

/**
 * Creates the layout of a collection. Its id is the declared field `_id`.
 * @throws {InvalidCollectionError} when the two drivers could not store its documents alike.
 */
export function layoutOf(collection: {
  name: string;
  tenant: boolean;
  declared: readonly DeclaredField[];
  declaredIndexes: readonly DeclaredIndex[];
  schema: () => Schema;
}): Layout {
  const { name, tenant, declared, declaredIndexes, schema } = collection;
  const fail = (message: string) => new InvalidCollectionError(name, message);
  if (!NAME.test(name)) throw fail("its name is not one word");
  const marked = {
    unique: new Set(declaredIndexes.flatMap(([keys, { unique } = {}]) => (unique ? Object.keys(keys) : []))),
    partial: new Set(
      declaredIndexes.flatMap(([, { partialFilterExpression = {} } = {}]) => existingIn(partialFilterExpression)),
    ),
  };

  const root: Branch = { path: "", children: new Map() };
  const fields = new Map<string, Field>();
  for (const one of declared) {
    const field = readField(one, marked, fail);
    fields.set(field.path, field);
    branchOf(root, field).children.set(field.keys.at(-1) as string, field);
  }

  const indexes = declaredIndexes.map(([keys, options = {}]) => readIndex({ fields, root }, keys, options, fail));
  const seen = new Set(
    indexes.flatMap(({ keys, partial }) => [...keys.map(([path]) => path), ...(partial ? pathsIn(partial) : [])]),
  );
  return {
    ...{ name, tenant, root, fields, indexes },
    get schema() {
      return schema();
    },
    indexed: [...fields.values()].filter(({ path, kind }) => seen.has(path) && path !== "id" && kind !== "strings"),
    defaults: [...fields.values()].filter(field => field.default !== undefined),
    required: [...fields.values()].filter(field => field.required),
    dates: [...fields.values()].filter(field => field.kind === "date"),
    json: [...fields.values()].filter(field => field.kind === "json").map(field => field.path),
  };
}

function readField(
  declared: DeclaredField,
  { unique, partial }: { unique: ReadonlySet<string>; partial: ReadonlySet<string> },
  fail: (message: string) => Error,
): Field {
  const path = declared.path === "_id" ? "id" : declared.path;
  const keys = path.split(".");
  if (keys.some(key => !NAME.test(key) || key in Object.prototype)) throw fail(`${path} is not a field name`);
  const { kind, values } = declared;
  if (!kind)
    throw fail(`${path} has a type that the store does not keep; free-form JSON is { type: String, json: true }`);
  if (kind === "json" && keys.length > 1) throw fail(`${path} is free-form JSON inside of an object`);
  const required = path === "id" || declared.required;
  return {
    path,
    keys,
    kind,
    required,
    neverNull: kind !== "json" && (required || unique.has(path) || partial.has(path)),
    inPartial: partial.has(path),
    values: values?.length ? values : null,
    default: declared.default,
  };
}

function branchOf(root: Branch, field: Field): Branch {
  let branch = root;
  for (const [depth, key] of field.keys.slice(0, -1).entries()) {
    let next = branch.children.get(key);
    if (!next)
      branch.children.set(key, (next = { path: field.keys.slice(0, depth + 1).join("."), children: new Map() }));
    branch = next as Branch;
  }
  return branch;
}

function readIndex(
  layout: Fields,
  declared: Record<string, unknown>,
  options: IndexOptions,
  fail: (message: string) => Error,
): Index {
  const partial = options.partialFilterExpression ? checkFilter(layout, options.partialFilterExpression) : null;
  if (partial && !isProvable(partial))
    throw fail("a partial index takes only $eq, $gt, $gte, $lt, $lte, $exists: true and $and");
  const keys = Object.entries(declared).map(([path, direction]): [string, 1 | -1] => {
    const field = layout.fields.get(path === "_id" ? "id" : path);
    if (!field || field.kind === "json") throw fail(`an index names ${path}, which is not a field to index`);
    if (direction !== 1 && direction !== -1) throw fail(`the index on ${path} is neither ascending nor descending`);
    if (options.unique && field.kind === "strings") throw fail(`the unique index on ${path} would be over an array`);
    if (options.unique && !field.required && !(partial && namesField(partial, path)))
      throw fail(
        `${path} is in a unique index: make it required, or leave documents without it out (partialFilterExpression)`,
      );
    return [field.path, direction];
  });
  // Lists break ties by id, so only an index that ends with the id can return them in order.
  const last = keys.at(-1);
  if (!options.unique && last && !keys.some(([path]) => path === "id")) keys.push(["id", last[1]]);
  const key = keys.map(([path, direction]) => `${path}_${direction}`).join("_");
  const suffix = partial ? `_${hash(JSON.stringify(partial))}` : "";
  const { unique = false, mixed = false } = options;
  return { name: `${key}${unique ? "_unique" : ""}${suffix}`, keys, unique, partial, mixed };
}

const isProvable = (condition: Condition): boolean =>
  condition.op === "and"
    ? condition.of.every(isProvable)
    : condition.op === "exists"
      ? condition.value
      : ["eq", "gt", "gte", "lt", "lte"].includes(condition.op);

const namesField = (condition: Condition, path: string): boolean =>
  condition.op === "and" || condition.op === "or"
    ? condition.of.some(part => namesField(part, path))
    : condition.field.path === path &&
      (condition.op === "exists" || ("value" in condition && condition.value !== null));

const pathsIn = (condition: Condition): string[] =>
  condition.op === "and" || condition.op === "or" ? condition.of.flatMap(pathsIn) : [condition.field.path];

/** The fields that must exist for a partial index to contain a document. */
const existingIn = (expression: object): string[] =>
  Object.entries(expression).flatMap(([path, condition]: [string, unknown]) =>
    path === "$and"
      ? (condition as object[]).flatMap(existingIn)
      : (condition as { $exists?: unknown } | null)?.$exists === true
        ? [path]
        : [],
  );

/** FNV-1a: a short name for an expression. It is not a secure hash. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) as number), 0x01000193);
  return (value >>> 0).toString(36);
}
