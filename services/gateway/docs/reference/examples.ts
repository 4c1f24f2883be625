import type { OpenApiDocument } from "../../openapi/document.ts";
import { COMPONENTS, type JsonSchema } from "../../openapi/json-schema.ts";
import type { Operation, Parameter } from "../../openapi/operation.ts";

const ID = "0198c1d2-7a3e-7c54-9b1f-2f6d8e0a4b21";
const BY_FORMAT: Record<string, string> = {
  uuid: ID,
  "date-time": "2026-01-31T09:30:00.000Z",
  date: "2026-01-31",
  email: "ada@example.com",
  uri: "https://example.com",
  "uri-reference": "/",
};
const BY_NAME: Record<string, string> = {
  name: "Release",
  title: "Release",
  slug: "release",
  email: "ada@example.com",
  password: "correct horse battery",
  description: "Releases a service when it is healthy",
  content: "Refunds take two weeks.",
  query: "refunds",
  cronExpr: "0 9 * * mon-fri",
  url: "https://example.com",
  prompt: "Release it?",
};
const MAX_DEPTH = 4;

type Schemas = OpenApiDocument["components"]["schemas"];

function textSample({ format = "", minLength = 0 }: JsonSchema, name: string): string {
  const text = BY_FORMAT[format] ?? BY_NAME[name] ?? "text";
  return text.padEnd(minLength, ".");
}

/** A value that fits a schema. Responses include optional fields, requests do not. */
export function sampleOf(schema: JsonSchema, schemas: Schemas, all: boolean, name = "", depth = 0): unknown {
  if (schema.$ref) return sampleOf(schemas[schema.$ref.slice(COMPONENTS.length)] ?? {}, schemas, all, name, depth);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const either = schema.anyOf?.[0];
  if (either) return sampleOf(either, schemas, all, name, depth);
  if (schema.allOf) {
    const parts = schema.allOf.map(part => sampleOf(part, schemas, all, name, depth));
    return Object.assign({}, ...parts) as unknown;
  }
  const type = [schema.type ?? (schema.properties ? "object" : "")].flat()[0];
  if (type === "string") return textSample(schema, name);
  if (type === "integer" || type === "number") return schema.default ?? Math.max(1, schema.minimum ?? 1);
  if (type === "boolean") return schema.default ?? true;
  if (type === "null") return null;
  if (type === "array") {
    return depth < MAX_DEPTH && schema.items ? [sampleOf(schema.items, schemas, all, name, depth + 1)] : [];
  }
  if (type !== "object" || depth >= MAX_DEPTH) return {};
  const fields = Object.entries(schema.properties ?? {}).filter(([field]) => all || schema.required?.includes(field));
  return Object.fromEntries(
    fields.map(([field, of]) => [field, sampleOf(of, schemas, all, field, depth + 1)] as const),
  );
}

const JSON_TYPE = "application/json";
const bodyOf = ({ requestBody }: Operation) => requestBody?.content[JSON_TYPE]?.schema;

function bodySample(operation: Operation, schemas: Schemas): unknown {
  const schema = bodyOf(operation);
  if (!schema) return undefined;
  const required = sampleOf(schema, schemas, false);
  const isEmpty = typeof required === "object" && required !== null && Object.keys(required).length === 0;
  if (!isEmpty || !schema.properties) return required;
  // A body without required fields is shown with its first field, because an empty object explains nothing.
  const [first] = Object.entries(schema.properties);
  return first ? { [first[0]]: sampleOf(first[1], schemas, true, first[0], 1) } : required;
}

const QUOTE = /'/g;
const shellText = (text: string) => `'${text.replace(QUOTE, String.raw`'\''`)}'`;

function headersOf(operation: Operation): string[] {
  const secret = operation.parameters.find(({ name }) => name === "x-webhook-secret");
  return [
    ...(operation.security.length > 0 ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    ...(secret ? [`-H "x-webhook-secret: $SECRET"`] : []),
    ...(bodyOf(operation) ? [`-H "Content-Type: application/json"`] : []),
    ...(operation.responses["200"]?.content?.["text/event-stream"] ? ["-N"] : []),
  ];
}

const SHELL_NAMES: Record<string, string> = { wId: "WORKSPACE", sId: "SPACE_ID" };
const shellName = (variable: string) =>
  SHELL_NAMES[variable] ?? variable.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();

/** The call as a shell command. Path variables become shell variables. */
export function curlExample(method: string, path: string, operation: Operation, schemas: Schemas): string {
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${shellName(name)}`);
  const body = bodySample(operation, schemas);
  const parts = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$WEFT${url}"`,
    ...headersOf(operation),
    ...(body === undefined ? [] : [`-d ${shellText(JSON.stringify(body, null, 2))}`]),
  ];
  return parts.join(" \\\n  ");
}

/** Options of the SDK's client. Its calls leave them out. */
const OF_CLIENT = new Set(["wId", "sId"]);
const STREAMS: Record<string, string> = {
  "gateway.events": "executions.events",
  "gateway.notifications": "notifications.stream",
};
const fieldOf = ({ name }: Parameter) => name;

/** The call with the SDK; undefined for routes without a method in the SDK. */
export function sdkExample(operation: Operation, schemas: Schemas): string | undefined {
  const { operationId, parameters } = operation;
  const stream = STREAMS[operationId];
  if (!stream && /^gateway\.|\.alias$/.test(operationId)) return undefined;
  const inPath = parameters.filter(({ in: place, name }) => place === "path" && !OF_CLIENT.has(name)).map(fieldOf);
  const body = bodySample(operation, schemas);
  const fields = typeof body === "object" && body !== null && !Array.isArray(body) ? Object.entries(body) : [];
  const given = [
    ...inPath,
    ...fields.map(([name, value]) => `${name}: ${JSON.stringify(value, null, 2).replace(/"(\w+)":/g, "$1:")}`),
  ];
  const call = `weft.${stream ?? operationId}(${given.length > 0 ? `{ ${given.join(", ")} }` : ""})`;
  if (stream) return `for await (const { data } of ${call}) {\n  console.log(data);\n}`;
  const isList = Object.keys(operation.responses["200"]?.headers ?? {}).includes("Link");
  if (isList) return `for await (const item of ${call}) {\n  console.log(item);\n}`;
  return "204" in operation.responses ? `await ${call};` : `const result = await ${call};`;
}

/** The response body of a successful call. */
export function answerExample({ responses }: Operation, schemas: Schemas): string | undefined {
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  const schema = success?.content?.[JSON_TYPE]?.schema;
  return schema && JSON.stringify(sampleOf(schema, schemas, true), null, 2);
}
