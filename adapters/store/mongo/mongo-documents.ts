import type { CheckedDocument } from "../document.ts";
import type { Layout } from "../layout.ts";

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
