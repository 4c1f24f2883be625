import { clip } from "../clip.ts";
import { isObject } from "../json.ts";
import type { ApiDescription, ApiOperation, ApiTool } from "./operation.ts";
import { readParameters } from "./parameters.ts";
import { readBody } from "./read-body.ts";
import { resolved, UnusableOperationError } from "./references.ts";
import { Schemas } from "./schemas.ts";
import { readSchemes, readSecurity } from "./security.ts";
import { serverOf } from "./servers.ts";

type Json = Record<string, unknown>;

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;
type Method = (typeof METHODS)[number];
const READING: readonly Method[] = ["get", "head", "options", "trace"];

/** The most operations of one API. */
export const MAX_OPERATIONS = 5_000;
/** The most reasons that are kept for operations that cannot be called. */
const MAX_DROPPED = 200;
/** The most characters of all input schemas together, and the least and the most of one schema. */
const SCHEMA_CHARS = { together: 16 * 1_048_576, least: 2_048, most: 32_768 };
const MAX_NAME = 120;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 4_000;
const MAX_PATH = 1_000;

const textOf = (value: unknown, max: number): string => (typeof value === "string" ? clip(value.trim(), max) : "");

/** An operation of a document, before it is read. */
interface Found {
  path: string;
  method: Method;
  ofPath: Json;
  own: Json;
}

function* operationsOf(document: Json): Generator<Found | { path: string; fault: string }> {
  const paths = isObject(document.paths) ? document.paths : {};
  for (const [path, item] of Object.entries(paths)) {
    if (!path.startsWith("/")) continue;
    let ofPath: Json;
    try {
      ofPath = resolved(document, item);
    } catch (error) {
      if (!(error instanceof UnusableOperationError)) throw error;
      yield { path, fault: error.message };
      continue;
    }
    for (const method of METHODS) {
      const own = ofPath[method];
      if (isObject(own)) yield { path, method, ofPath, own };
    }
  }
}

/** The name of a tool, in characters that models accept: the operation's id, or its method and path. */
function nameOf({ own, method, path }: Found, taken: ReadonlySet<string>): string {
  const id = typeof own.operationId === "string" ? own.operationId : "";
  const wanted = id.trim() || `${method}${path}`;
  const name =
    wanted
      .replace(/[^\w.-]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, MAX_NAME) || method;
  if (!taken.has(name)) return name;
  for (let count = 2; ; count++) if (!taken.has(`${name}_${count}`)) return `${name}_${count}`;
}

class Reader {
  readonly #document: Json;
  readonly #schemas: Schemas;
  readonly #documentUrl: string | null;
  readonly #maxChars: number;
  readonly server: string | null;

  constructor(document: Json, documentUrl: string | null, count: number) {
    const { together, least, most } = SCHEMA_CHARS;
    this.#document = document;
    this.#documentUrl = documentUrl;
    this.#schemas = new Schemas(document);
    this.#maxChars = Math.max(least, Math.min(most, Math.floor(together / Math.max(1, count))));
    // An absent list means the root of the document's own address (OpenAPI 3.1, section 4.8.1.1).
    const listed = Array.isArray(document.servers) && document.servers.length > 0 ? document.servers : [{ url: "/" }];
    this.server = serverOf(listed, documentUrl);
  }

  /** @throws {UnusableOperationError} */
  tool(found: Found, name: string): ApiTool {
    const { path, method, ofPath, own } = found;
    if (path.length > MAX_PATH) throw new UnusableOperationError(`its path has more than ${MAX_PATH} characters`);
    const parameters = readParameters(this.#document, ofPath.parameters, own.parameters);
    const body = readBody(this.#document, own.requestBody);
    for (const [, wanted] of path.matchAll(/\{([^{}]+)\}/g))
      if (!parameters.some(({ parameter }) => parameter.in === "path" && parameter.name === wanted))
        throw new UnusableOperationError(`its path names \`${wanted}\`, and it has no such parameter`);
    const bodyName = parameters.some(({ parameter }) => parameter.argument === "body") ? "requestBody" : "body";
    const properties = Object.fromEntries([
      ...parameters.map(({ parameter, schema }) => [parameter.argument, schema] as const),
      ...(body ? [[bodyName, body.schema] as const] : []),
    ]);
    const required = [
      ...parameters.filter(one => one.required).map(({ parameter }) => parameter.argument),
      ...(body?.required ? [bodyName] : []),
    ];
    const schema = { type: "object", properties, required, additionalProperties: false };
    const [title, description] = [textOf(own.summary, MAX_TITLE), textOf(own.description, MAX_DESCRIPTION)];
    const operation: ApiOperation = {
      ...{ method: method.toUpperCase(), path, server: this.#serverOf(ofPath, own) },
      parameters: parameters.map(({ parameter }) => parameter),
      ...(body && { body: { argument: bodyName, type: body.type, ...(body.deep.length > 0 && { deep: body.deep }) } }),
      security: readSecurity(own.security ?? this.#document.security),
    };
    return {
      ...{ name, ...(title !== "" && { title }), operation },
      description: clip([title, description].filter(text => text !== "").join("\n\n"), MAX_DESCRIPTION),
      inputSchema: this.#schemas.complete(schema, this.#maxChars),
      annotations: {
        readOnlyHint: READING.includes(method),
        destructiveHint: method === "delete",
        idempotentHint: READING.includes(method) || method === "put" || method === "delete",
      },
    };
  }

  #serverOf(ofPath: Json, own: Json): string {
    const named = serverOf(own.servers, this.#documentUrl) ?? serverOf(ofPath.servers, this.#documentUrl);
    return named ?? this.server ?? "";
  }
}

/**
 * Reads an OpenAPI 3.1 document. An operation that cannot be called is left out with the reason. The others stay.
 * @param documentUrl the address of the document, to which its servers may be relative; null for an uploaded document
 */
export function readDescription(document: Json, documentUrl: string | null, specification: string): ApiDescription {
  const found = [...operationsOf(document)];
  const reader = new Reader(document, documentUrl, found.length);
  const info = isObject(document.info) ? document.info : {};
  const tools: ApiTool[] = [];
  const dropped: ApiDescription["dropped"] = [];
  const taken = new Set<string>();
  const drop = (name: string, reason: string) => dropped.length < MAX_DROPPED && dropped.push({ name, reason });
  for (const one of found) {
    if (tools.length === MAX_OPERATIONS) {
      drop("(the rest)", `only the first ${MAX_OPERATIONS} operations are taken`);
      break;
    }
    if ("fault" in one) {
      drop(one.path, one.fault);
      continue;
    }
    const name = nameOf(one, taken);
    taken.add(name);
    try {
      tools.push(reader.tool(one, name));
    } catch (error) {
      if (!(error instanceof UnusableOperationError)) throw error;
      drop(name, error.message);
    }
  }
  return {
    ...{ title: textOf(info.title, MAX_TITLE), version: textOf(info.version, 100), specification },
    ...{ server: reader.server, securitySchemes: readSchemes(document), tools, dropped },
  };
}
