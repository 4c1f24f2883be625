import { createRequire } from "node:module";
import type { Schema } from "mongoose";
import { declaredFields, fieldsOfSchema } from "./declared-fields.ts";
import { InvalidCollectionError } from "./errors.ts";
import { type FieldsOf, type FieldTypes, mongooseFields, string } from "./field-types.ts";
import { type DeclaredIndex, type IndexOptions, type Layout, layoutOf } from "./layout.ts";
import type { CollectionSpec, Doc } from "./port.ts";

/** Maps paths to directions (`_id` is the document's id). */
export type IndexDefinition = readonly [keys: Readonly<Record<string, 1 | -1>>, options?: IndexOptions];

/** Options for a partial index. It contains only documents with the field, so an unset field costs nothing. */
export const where = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } });

type Owned<Tenant extends boolean> = Tenant extends true ? { workspaceId: string } : unknown;
type Flat<T> = { [K in keyof T]: T[K] };

/** The type of the documents of a collection from `defineCollection`. */
export type DocumentOf<S> = S extends CollectionSpec<infer T> ? T : never;

/**
 * Defines a collection for both drivers. Its table of fields is the only definition of its documents: their type,
 * Mongoose's schema and the embedded tables are derived from it. `id`, and the `workspaceId` of a tenant collection,
 * are added.
 * @throws {InvalidCollectionError} when the two drivers could not store such documents alike
 */
export function defineCollection<const F extends FieldTypes, const Tenant extends boolean>(definition: {
  name: string;
  tenant: Tenant;
  fields: F;
  indexes?: readonly IndexDefinition[];
}): CollectionSpec<Flat<Doc & Owned<Tenant> & FieldsOf<F>>> {
  const { name, tenant, fields, indexes = [] } = definition;
  if ("id" in fields) throw hasOwnId(name);
  const declared = declaredFields({ ...fields, _id: string(), ...(tenant && { workspaceId: string() }) });
  let made: Schema | undefined;
  const schema = () => (made ??= schemaOf(fields, indexes, tenant));
  return specOf(layoutOf({ name, tenant, declared, declaredIndexes: indexes, schema }));
}

/**
 * Defines a collection with a Mongoose schema, which needs no `_id` and no `workspaceId`.
 * @throws {InvalidCollectionError} when the two drivers could not store such documents alike
 */
export function collectionOfSchema<T extends Doc>(definition: {
  name: string;
  schema: Schema;
  tenant: boolean;
}): CollectionSpec<T> {
  const { name, tenant } = definition;
  const schema = definition.schema.clone();
  if (schema.path("id") as unknown) throw hasOwnId(name);
  complete(schema, tenant);
  const declaredIndexes = schema.indexes() as unknown as DeclaredIndex[];
  return specOf(layoutOf({ name, tenant, declared: fieldsOfSchema(schema), declaredIndexes, schema: () => schema }));
}

const hasOwnId = (name: string) => new InvalidCollectionError(name, "the field id is the document's own id");

const specOf = <T extends Doc>(layout: Layout): CollectionSpec<T> => ({
  name: layout.name,
  tenant: layout.tenant,
  layout,
  get schema() {
    return layout.schema;
  },
});

/**
 * Mongoose's own schema class, without the rest of Mongoose and the MongoDB driver. An embedded store needs none of
 * them, and the class alone takes 0.1 s to load.
 */
function schemaOf(fields: FieldTypes, indexes: readonly IndexDefinition[], tenant: boolean): Schema {
  const SchemaClass = createRequire(import.meta.url)("mongoose/lib/schema.js") as typeof Schema;
  const schema = new SchemaClass(mongooseFields(fields));
  for (const [keys, options] of indexes) schema.index({ ...keys }, { ...options });
  return complete(schema, tenant);
}

/** Adds the fields that every collection has. */
function complete(schema: Schema, tenant: boolean): Schema {
  schema.add({ _id: { type: String, required: true } });
  if (tenant) schema.add({ workspaceId: { type: String, required: true } });
  schema.set("strict", "throw");
  schema.set("strictQuery", "throw");
  schema.set("minimize", false);
  schema.set("versionKey", false);
  schema.set("id", false);
  schema.set("autoIndex", false);
  schema.set("autoCreate", false);
  return schema;
}
