import { isObject } from "../json.ts";
import { resolved, UnusableOperationError } from "./references.ts";

type Json = Record<string, unknown>;

/** Content types that a call can write, in order of preference. */
const WRITABLE = [
  /^application\/json\b/i,
  /^application\/[\w.+-]*\+json\b/i,
  /^application\/x-www-form-urlencoded\b/i,
  /^multipart\/form-data\b/i,
  /^text\/plain\b/i,
  /^\*\/\*$/,
];

export interface ReadBody {
  type: string;
  schema: Json;
  required: boolean;
  /** Fields of a form whose style is `deepObject`. */
  deep: string[];
}

/** The fields with the style `deepObject` (OpenAPI 3.1, section 4.8.15 "Encoding Object"). */
const deepFields = (encoding: unknown): string[] =>
  Object.entries(isObject(encoding) ? encoding : {})
    .filter(([, how]) => isObject(how) && how.style === "deepObject")
    .map(([name]) => name);

/**
 * The body of an operation in a content type that a call can write; undefined if it takes none.
 * @throws {UnusableOperationError} when it needs a body of another content type
 */
export function readBody(document: Json, given: unknown): ReadBody | undefined {
  if (given === undefined) return undefined;
  const { content, required, description } = resolved(document, given);
  if (!isObject(content) || Object.keys(content).length === 0) return undefined;
  const types = Object.keys(content);
  const type = WRITABLE.map(form => types.find(one => form.test(one))).find(one => one !== undefined);
  if (type === undefined) {
    if (required !== true) return undefined;
    throw new UnusableOperationError(`its body has the content type ${types.join(", ").slice(0, 200)}`);
  }
  const media = content[type];
  const schema = isObject(media) && isObject(media.schema) ? media.schema : {};
  return {
    type: type === "*/*" ? "application/json" : type,
    schema: typeof description === "string" && schema.$ref === undefined ? { description, ...schema } : schema,
    required: required === true,
    deep: /urlencoded/i.test(type) && isObject(media) ? deepFields(media.encoding) : [],
  };
}
