import type { IncomingHttpHeaders } from "node:http";
import { AppError, type Fault, notFound } from "../../../contracts/errors.ts";
import type { z } from "zod";
import { issueFaults } from "../../../contracts/issue-faults.ts";
import { jsonPointer } from "../../../contracts/json-pointer.ts";
import { ID_PATTERN } from "../../../contracts/primitives.ts";
import { deliveryContext } from "./delivery.ts";
import { parseJson } from "./json.ts";
import { sessionToken } from "../http/session-cookie.ts";
import type { FieldKind, PathField } from "./route-plan.ts";
import { MAX_WAIT_MS } from "../../../contracts/actions/executions.ts";

const WAIT = /^wait\s*=\s*"?(\d{1,6})"?\s*(;|$)/i;
const NAME = /^wait\s*(=|;|$)/i;

/**
 * The `wait` of a Prefer header (RFC 7240, section 4.3) in milliseconds. If there are several, the first one counts. A
 * wait outside of 0 to 60 seconds is ignored.
 */
export function preferredWaitMs(header: string): number | undefined {
  const wait = header
    .split(",")
    .map(preference => preference.trim())
    .find(preference => NAME.test(preference));
  const seconds = wait === undefined ? undefined : WAIT.exec(wait)?.[1];
  if (seconds === undefined) return undefined;
  const waitMs = Number(seconds) * 1_000;
  return waitMs <= MAX_WAIT_MS ? waitMs : undefined;
}

export type Input = Record<string, unknown>;

/** Integers of up to 15 digits are exact as numbers. */
const INTEGER = /^-?\d{1,15}$/;
const VERSION = /^[1-9]\d{0,14}$/;
const MAX_FAULTS = 50;
const MAX_USER_AGENT = 1_000;

/** @throws {AppError} not_found when a variable is not a valid id, because no resource can have that id */
export function pathInput(fields: readonly PathField[], segments: readonly string[]): Input {
  const input: Input = {};
  for (const { segment, field, kind } of fields) {
    const text = segments[segment]!;
    const valid = kind === "id" ? ID_PATTERN.test(text) : kind === "integer" ? VERSION.test(text) : true;
    if (!valid) throw notFound("resource");
    input[field] = kind === "integer" ? Number(text) : text;
  }
  return input;
}

/** The value of JSON text in a query; undefined if it is not JSON that the API accepts. */
function jsonOf(text: string): unknown {
  try {
    return parseJson(Buffer.from(text));
  } catch {
    return undefined;
  }
}

function coerce(text: string, kind: FieldKind): unknown {
  if (kind === "integer") return INTEGER.test(text) ? Number(text) : undefined;
  if (kind === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (kind === "words") return text.includes(",") ? text.split(",") : text;
  return kind === "json" ? jsonOf(text) : text;
}

const EXPECTED: Partial<Record<FieldKind, string>> = {
  integer: "Expected a decimal integer",
  boolean: "Expected true or false",
  json: "Expected JSON",
};

/** `<field>.<name>`, or `<field>[<name>]` like OpenAPI's deep objects. */
const MEMBER = /^(\w+)(?:\.(.+)|\[(.+)\])$/;

/** Adds a member to an object. Returns false if the query has no such object, or the member occurs twice. */
function addMember(name: string, text: string, fields: ReadonlyMap<string, FieldKind>, input: Input): boolean {
  const [, field = "", dotted, bracketed] = MEMBER.exec(name) ?? [];
  const member = dotted ?? bracketed ?? "";
  const known = (Object.hasOwn(input, field) ? input[field] : {}) as Record<string, unknown>;
  if (fields.get(field) !== "members" || Object.hasOwn(known, member)) return false;
  // Assigning would call the setter of a member named `__proto__`.
  Object.defineProperty(known, member, { value: text, enumerable: true, configurable: true, writable: true });
  input[field] = known;
  return true;
}

function queryInput(search: string, fields: ReadonlyMap<string, FieldKind>, input: Input, faults: Fault[]): void {
  if (search === "") return;
  for (const [name, text] of new URLSearchParams(search)) {
    const kind = fields.get(name);
    if ((kind === undefined || kind === "members") && addMember(name, text, fields, input)) continue;
    if (kind === undefined || kind === "members")
      faults.push({ path: jsonPointer([name]), message: "Unknown query parameter" });
    else if (Object.hasOwn(input, name)) faults.push({ path: jsonPointer([name]), message: "Given more than once" });
    else if ((input[name] = coerce(text, kind)) === undefined) {
      faults.push({ path: jsonPointer([name]), message: EXPECTED[kind] ?? "Not valid" });
    }
  }
}

/** Headers that carry fields of an input. An invalid value is ignored, as the header's RFC demands. */
const HEADERS = {
  prefer: preferredWaitMs,
  "if-match": (value: string) => value,
  "x-webhook-secret": (value: string) => value,
  "user-agent": (value: string) => value.slice(0, MAX_USER_AGENT),
  cookie: (_: string, headers: IncomingHttpHeaders) => sessionToken(headers),
} as const;

function headerInput(
  headers: IncomingHttpHeaders,
  fields: Partial<Record<keyof typeof HEADERS, string>>,
  input: Input,
): void {
  for (const [header, field] of Object.entries(fields)) {
    const value = headers[header];
    const read = typeof value === "string" ? HEADERS[header as keyof typeof HEADERS](value, headers) : undefined;
    if (read !== undefined) input[field] = read;
  }
}

function bodyInput(body: unknown, fields: ReadonlySet<string>, input: Input, faults: Fault[]): void {
  if (body === undefined) return;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    faults.push({ path: "", message: "Expected a JSON object" });
    return;
  }
  for (const name of fields) if (Object.hasOwn(body, name)) input[name] = (body as Input)[name];
  // A body may have 100,000 unknown fields, but a response lists no more faults than these.
  for (const name in body) {
    if (faults.length >= MAX_FAULTS) break;
    if (!fields.has(name)) faults.push({ path: jsonPointer([name]), message: "Unknown field" });
  }
}

export interface InputSources {
  search: string;
  headers: IncomingHttpHeaders;
  /** The value of the body, undefined for an empty body. */
  body: unknown;
}

interface InputFields {
  query: ReadonlyMap<string, FieldKind>;
  body: ReadonlySet<string>;
  /** The schema of the action's input. */
  input?: z.ZodType;
  route: { headers: Partial<Record<keyof typeof HEADERS, string>>; wholeBody?: string; delivery?: boolean };
}

/** The further faults that the action would report, so that the caller sees all faults at once. */
function otherFaults(input: Input, { input: schema, query, body }: InputFields, told: readonly Fault[]): Fault[] {
  const { error } = schema?.safeParse(input) ?? {};
  const known = new Set(told.map(({ path }) => path));
  const issues = error?.issues.filter(({ path: [field] }) => query.has(String(field)) || body.has(String(field)));
  return issueFaults(issues ?? []).filter(({ path }) => !known.has(path));
}

/**
 * Adds the fields of query, headers and body to those of the path. Each field comes from its own source only.
 * @throws {AppError} validation_failed for every field that is unknown, or that the action does not accept
 */
export function completeInput(input: Input, plan: InputFields, sources: InputSources): Input {
  const faults: Fault[] = [];
  if (plan.route.delivery) Object.assign(input, deliveryContext(sources.headers, sources.search));
  else queryInput(sources.search, plan.query, input, faults);
  headerInput(sources.headers, plan.route.headers, input);
  const { wholeBody } = plan.route;
  if (wholeBody === undefined) bodyInput(sources.body, plan.body, input, faults);
  else if (sources.body !== undefined) input[wholeBody] = sources.body;
  if (faults.length === 0) return input;
  const errors = [...faults, ...otherFaults(input, plan, faults)];
  throw new AppError("validation_failed", { errors: errors.slice(0, MAX_FAULTS) });
}
