import { clip } from "../clip.ts";
import { isObject } from "../json.ts";
import { UnusableOperationError, valueAt } from "./references.ts";

type Json = Record<string, unknown>;

/**
 * Keywords of JSON Schema whose values are kept unchanged. All others, such as examples and extensions, are left out.
 */
const PLAIN = new Set([
  ...["type", "format", "enum", "const", "default", "required", "deprecated"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern"],
  ...["minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "minContains", "maxContains"],
]);
/** Keywords whose texts are shortened. */
const TEXTS = new Set(["title", "description"]);
const OF_ONE = new Set(["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"]);
const OF_LIST = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const OF_NAMED = new Set(["properties", "patternProperties", "dependentSchemas"]);

const MAX_DEPTH = 24;
const MAX_TEXT = 1_000;
/** The depths at which a schema that is too large is cut. They are tried in this order. */
const CUTS = [12, 8, 6, 4, 3, 2, 1];

/** A schema without the parts that calls do not need. Its references are names in `$defs`. */
interface Part {
  schema: unknown;
  /** The original references in the document. */
  references: string[];
  chars: number;
}

/** The schemas of a document as input schemas of tools. Each is complete in itself. */
export class Schemas {
  readonly #document: Json;
  readonly #parts = new Map<string, Part>();
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(document: Json) {
    this.#document = document;
  }

  /**
   * A schema with the referenced schemas in `$defs`, nearest first, of at most about `maxChars` as JSON. Parts that do
   * not fit accept any value.
   * @throws {UnusableOperationError} when a reference leads out of the document, or to nothing
   */
  complete(schema: Json, maxChars: number): Json {
    let root = this.#read(schema, MAX_DEPTH);
    for (const depth of CUTS) if (root.chars > maxChars) root = this.#read(schema, depth);
    const definitions: Json = {};
    let left = maxChars - root.chars;
    const queue = [...root.references];
    for (const reference of queue) {
      const name = this.#nameOf(reference);
      if (Object.hasOwn(definitions, name)) continue;
      const part = this.#partAt(reference);
      const fits = part.chars <= left;
      left -= fits ? part.chars : name.length;
      definitions[name] = fits ? part.schema : true;
      if (fits) queue.push(...part.references);
    }
    const made = root.schema as Json;
    return Object.keys(definitions).length > 0 ? { ...made, $defs: definitions } : made;
  }

  #partAt(reference: string): Part {
    let part = this.#parts.get(reference);
    if (!part) {
      part = this.#read(valueAt(this.#document, reference), MAX_DEPTH);
      this.#parts.set(reference, part);
    }
    return part;
  }

  /** The name of a referenced schema in `$defs`. */
  #nameOf(reference: string): string {
    let name = this.#names.get(reference);
    if (name === undefined) {
      const last = (reference.split("/").at(-1) ?? "").replace(/[^\w.-]/g, "_").slice(0, 100) || "schema";
      name = last;
      for (let count = 2; this.#taken.has(name); count++) name = `${last}_${count}`;
      this.#names.set(reference, name);
      this.#taken.add(name);
    }
    return name;
  }

  #read(value: unknown, maxDepth: number): Part {
    const references: string[] = [];
    const schema = this.#schema(value, maxDepth, references);
    return { schema, references, chars: JSON.stringify(schema).length };
  }

  #schema(value: unknown, depth: number, references: string[]): unknown {
    if (typeof value === "boolean") return value;
    if (!isObject(value)) throw new UnusableOperationError("one of its schemas is not an object");
    if (depth === 0) return true;
    const inner = (one: unknown) => this.#schema(one, depth - 1, references);
    const hidden = new Set<string>();
    const made: Json = {};
    for (const [key, held] of Object.entries(value)) {
      if (key === "$ref" && typeof held === "string") {
        references.push(held);
        made.$ref = `#/$defs/${this.#nameOf(held)}`;
      } else if (OF_NAMED.has(key) && isObject(held)) {
        // A value that only the server sets is not an argument.
        const entries = Object.entries(held).filter(([name, one]) => {
          const isHidden = isObject(one) && one.readOnly === true;
          if (isHidden) hidden.add(name);
          return !isHidden;
        });
        made[key] = Object.fromEntries(entries.map(([name, one]) => [name, inner(one)]));
      } else if (OF_LIST.has(key) && Array.isArray(held)) made[key] = held.map(inner);
      else if (OF_ONE.has(key) && (isObject(held) || typeof held === "boolean")) made[key] = inner(held);
      else if (TEXTS.has(key) && typeof held === "string") made[key] = clip(held, MAX_TEXT);
      else if (PLAIN.has(key)) made[key] = held;
    }
    if (hidden.size > 0 && Array.isArray(made.required))
      made.required = made.required.filter(name => !hidden.has(name as string));
    return made;
  }
}
