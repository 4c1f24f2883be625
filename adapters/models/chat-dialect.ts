import { isObject } from "../../core/json.ts";
import type { ServerRefusal } from "./model-server.ts";
import type { ChatRequest } from "./port.ts";

/** The ways to ask a server for JSON, most reliable first. */
const FORMATS = ["json_schema", "json_object", "none"] as const;

/**
 * The request fields that a model is known to accept. The protocol has grown, and servers support different parts of
 * it.
 */
export interface ChatDialect {
  format: (typeof FORMATS)[number];
  tokens: "max_tokens" | "max_completion_tokens";
  temperature: boolean;
  /** Whether the model accepts tools. */
  tools: boolean;
  /** Whether the server streams answers and counts their tokens. */
  streams: boolean;
}

export const FIRST_DIALECT: ChatDialect = {
  ...{ format: "json_schema", tokens: "max_tokens" },
  ...{ temperature: true, tools: true, streams: true },
};

type Schema = Record<string, unknown>;

/** Whether OpenAI can enforce a schema: every object closed, every property required. */
function isStrict(schema: unknown, level = 0): boolean {
  if (!isObject(schema) || level > 10) return false;
  const { properties, required, additionalProperties, items } = schema;
  if (items !== undefined && !isStrict(items, level + 1)) return false;
  if (properties === undefined) return schema.type !== "object";
  const names = Object.keys(properties as Schema);
  const closed =
    additionalProperties === false && names.every(name => (required as string[] | undefined)?.includes(name));
  return closed && Object.values(properties as Schema).every(part => isStrict(part, level + 1));
}

/** The part of the request body that depends on habits. */
export function dialectFields(
  habits: ChatDialect,
  { temperature, maxTokens, schema }: ChatRequest,
): Record<string, unknown> {
  const json_schema = { name: "answer", schema, strict: isStrict(schema) };
  const response_format =
    habits.format === "json_schema" ? { type: "json_schema", json_schema } : { type: habits.format };
  return {
    ...(temperature !== undefined && habits.temperature && { temperature }),
    ...(maxTokens !== undefined && { [habits.tokens]: maxTokens }),
    ...(schema && habits.format !== "none" && { response_format }),
  };
}

/** The habits to try after a refusal of these habits. Undefined if the refusal has another reason. */
export function adaptedDialect(
  habits: ChatDialect,
  { status, words }: ServerRefusal,
  request: ChatRequest,
): ChatDialect | undefined {
  if (![400, 404, 415, 422, 501].includes(status)) return undefined;
  if (habits.tokens === "max_tokens" && /max_completion_tokens/.test(words)) {
    return { ...habits, tokens: "max_completion_tokens" };
  }
  if (habits.temperature && request.temperature !== undefined && /temperature/i.test(words)) {
    return { ...habits, temperature: false };
  }
  if (habits.streams && request.onWords && /stream/i.test(words)) return { ...habits, streams: false };
  const format = FORMATS[FORMATS.indexOf(habits.format) + 1];
  return request.schema && status !== 404 && format ? { ...habits, format } : undefined;
}

/** Whether a refusal concerns the server in general, rather than this one schema. */
export const isLasting = ({ words }: ServerRefusal): boolean =>
  !/invalid.{0,20}schema|schema.{0,20}invalid/i.test(words);
