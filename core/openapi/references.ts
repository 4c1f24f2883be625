import { isObject } from "../json.ts";

/** An operation that cannot be offered as a tool. The message completes the sentence "It is left out: …". */
export class UnusableOperationError extends Error {
  override name = "UnusableOperationError";
}

type Json = Record<string, unknown>;

/** The longest chain of references. Chains in real documents are shorter. */
const MAX_CHAIN = 20;

/**
 * The value at a reference within the document (RFC 6901, in a URI fragment).
 * @throws {UnusableOperationError} when it leads to another document, or to nothing
 */
export function valueAt(document: Json, reference: string): unknown {
  if (!reference.startsWith("#/"))
    throw new UnusableOperationError(`\`${reference.slice(0, 200)}\` is outside of the document`);
  let value: unknown = document;
  for (const escaped of reference.slice(2).split("/")) {
    const part = decoded(escaped).replaceAll("~1", "/").replaceAll("~0", "~");
    const held = typeof value === "object" && value !== null && Object.hasOwn(value, part);
    if (!held) throw new UnusableOperationError(`the document has no \`${reference.slice(0, 200)}\``);
    value = (value as Json)[part];
  }
  return value;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * The object itself, or the object that its `$ref` refers to.
 * @throws {UnusableOperationError} when there is no such object
 */
export function resolved(document: Json, value: unknown): Json {
  for (let steps = 0; steps < MAX_CHAIN; steps++) {
    if (!isObject(value)) throw new UnusableOperationError("a part of its description is not an object");
    if (typeof value.$ref !== "string") return value;
    value = valueAt(document, value.$ref);
  }
  throw new UnusableOperationError("its references lead in a circle");
}
