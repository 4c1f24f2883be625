import type { Schema as MongooseSchema } from "mongoose";
import { InvalidCollectionError } from "./errors.ts";
import { type FieldsOf, type FieldTypes, mongooseFields } from "./field-types.ts";
import { readLayout } from "./layout.ts";
import type { CollectionSpec, Doc } from "./port.ts";
import { Schema } from "./schema.ts";

/** Maps paths to directions (`_id` is the document's id). The options say whether the index is unique, or partial. */
export type IndexDefinition = readonly [
  keys: Readonly<Record<string, 1 | -1>>,
  options?: { readonly unique?: boolean; readonly partialFilterExpression?: object },
];

/**
 * Index options for a partial index: it contains only documents that have the field, so an unset field costs nothing.
 */
export const where = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } });

type Owned<Tenant extends boolean> = Tenant extends true ? { workspaceId: string } : unknown;
type Flat<T> = { [K in keyof T]: T[K] };

/** The documents of a collection that `defineCollection` made. */
export type DocumentOf<S> = S extends CollectionSpec<infer T> ? T : never;

/**
 * Defines a collection, the same for both drivers. Its table of fields is the one definition of its documents: their
 * type, Mongoose's schema and the embedded tables all come from it. `id`, and the `workspaceId` of a tenant collection,
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
  const schema = new Schema(mongooseFields(fields));
  for (const [keys, options] of indexes) schema.index({ ...keys }, { ...options });
  return complete({ name, schema, tenant });
}

/**
 * Defines a collection by a Mongoose schema, which needs no `_id` and no `workspaceId`.
 * @throws {InvalidCollectionError} when the two drivers could not store such documents alike
 */
export function collectionOfSchema<T extends Doc>(definition: {
  name: string;
  schema: MongooseSchema;
  tenant: boolean;
}): CollectionSpec<T> {
  return complete({ ...definition, schema: definition.schema.clone() });
}

/** Adds what every collection has to a schema that nothing else uses. */
function complete<T extends Doc>({
  name,
  schema,
  tenant,
}: Parameters<typeof collectionOfSchema>[0]): CollectionSpec<T> {
  if (schema.path("id") as unknown) throw new InvalidCollectionError(name, "the field id is the document's own id");
  schema.add({ _id: { type: String, required: true } });
  if (tenant) schema.add({ workspaceId: { type: String, required: true } });
  schema.set("strict", "throw");
  schema.set("strictQuery", "throw");
  schema.set("minimize", false);
  schema.set("versionKey", false);
  schema.set("id", false);
  schema.set("autoIndex", false);
  schema.set("autoCreate", false);
  return { name, schema, tenant, layout: readLayout(name, schema, tenant) };
}
