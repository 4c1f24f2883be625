import type { CollectionSpec } from "../store/port.ts";

/**
 * A field with sealed texts: in a schema, `{ type: String, sealedFor: "<purpose>" }`. Their context is the document's
 * id.
 */
export interface SealedField {
  spec: CollectionSpec;
  path: string;
  purpose: string;
  required: boolean;
}

/** The sealed fields of these collections, with their purposes. The schemas are the only source of this fact. */
export function sealedFields(specs: readonly CollectionSpec[]): SealedField[] {
  return specs.flatMap(spec =>
    Object.entries(spec.schema.paths).flatMap(([path, type]) => {
      const { sealedFor: purpose } = type.options as { sealedFor?: string };
      return purpose === undefined ? [] : [{ spec, path, purpose, required: type.isRequired === true }];
    }),
  );
}
