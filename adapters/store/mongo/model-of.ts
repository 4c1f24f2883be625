import mongoose, { type Connection, type Model } from "mongoose";
import type { Layout } from "../layout.ts";
import type { MongoDocument } from "./mongo-documents.ts";

export type DocumentModel = Model<MongoDocument>;

/**
 * The model of a collection on this connection. A collection is defined with Mongoose's schema class only, usually
 * before Mongoose is loaded, so its schema has no `base`. Mongoose reads its options from `base` at every update.
 */
export function modelOf(connection: Connection, { name, schema }: Layout): DocumentModel {
  const known = connection.models[name] as DocumentModel | undefined;
  if (known) return known;
  const own = Object.assign(schema.clone(), { base: mongoose });
  return connection.model(name, own, name) as unknown as DocumentModel;
}
