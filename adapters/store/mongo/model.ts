import type { CheckedDocument } from "../document.ts";
import type { Layout } from "../layout.ts";
import mongoose, { type Connection, type Model } from "mongoose";

export type MongoDocument = Record<string, unknown> & { _id: string };

/** Free-form JSON is stored as text: BSON limits its depth, and would interpret keys such as `_bsontype`. */
export function toMongo({ fields, json }: CheckedDocument): MongoDocument {
  const { id, ...rest } = fields;
  return { _id: id as string, ...rest, ...json };
}

export function fromMongo(layout: Layout, { _id, ...rest }: MongoDocument): Record<string, unknown> {
  const document: Record<string, unknown> = { id: _id, ...rest };
  for (const field of layout.json) {
    const text = document[field];
    if (typeof text === "string") document[field] = JSON.parse(text) as unknown;
  }
  return document;
}

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
