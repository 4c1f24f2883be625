import { isDeepStrictEqual } from "node:util";

/** The content that a version stores. */
export interface Content {
  name: string;
  description: string;
  /** Any JSON value. */
  definition: unknown;
}

/** The longest definition, in bytes of its JSON text. */
export const MAX_DEFINITION_BYTES = 512 * 1024;

/**
 * The content after a change, or null if it stays the same. The order of keys in a definition does not matter.
 * Undefined fields keep their value.
 */
export function changedContent(
  current: Content,
  change: { [K in keyof Content]?: Content[K] | undefined },
): Content | null {
  const next: Content = {
    name: change.name ?? current.name,
    description: change.description ?? current.description,
    definition: change.definition === undefined ? current.definition : change.definition,
  };
  const same =
    next.name === current.name &&
    next.description === current.description &&
    isDeepStrictEqual(next.definition, current.definition);
  return same ? null : next;
}
