import type { Schema } from "mongoose";
import { InvalidCollectionError } from "./errors.ts";
import { readLayout } from "./layout.ts";
import type { CollectionSpec, Doc } from "./port.ts";

/**
 * One collection, the same on both sides. The schema needs no `_id` (it becomes a String, `id` in documents), nor the
 * `workspaceId` of a tenant collection. Fields are String, Number, Boolean, Date, [String], objects of those, and free-form
 * JSON as `{ type: String, json: true }`. Throws InvalidCollectionError.
 */
export function defineCollection<T extends Doc>(definition: {
  name: string;
  schema: Schema;
  tenant: boolean;
}): CollectionSpec<T> {
  const { name, tenant } = definition;
  if (definition.schema.path("id") as unknown)
    throw new InvalidCollectionError(name, "the field id is the document's own id");
  const schema = definition.schema.clone();
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
