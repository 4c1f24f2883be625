import type { Endpoint } from "./endpoint.ts";

export type Input = Readonly<Record<string, unknown>>;

/** The workspace and space for paths without them. */
export interface Scope {
  workspaceId?: string | undefined;
  spaceId?: string | undefined;
}

export interface ApiRequest {
  method: Endpoint["method"];
  /** The path with its query. */
  path: string;
  headers: Record<string, string>;
  body: string | Blob | FormData | ArrayBuffer | Uint8Array<ArrayBuffer> | undefined;
  /** Extra time for the response, in milliseconds, for the end of a run or for the transfer of a file. */
  waitMs: number;
}

const SCOPE_OF: Readonly<Record<string, keyof Scope>> = { wId: "workspaceId", sId: "spaceId" };

export const HEADER_TEXT: Readonly<Record<string, (value: string | number) => string>> = {
  prefer: ms => `wait=${Math.ceil(Number(ms) / 1_000)}`,
};

const isGiven = (value: unknown): value is string | number =>
  (typeof value === "string" && value !== "") || typeof value === "number";

/** A segment of a path. URLs drop `.` and `..`, so these cannot be ids. */
function segment(field: string, value: unknown): string {
  if (!isGiven(value)) throw new TypeError(`${field} is missing`);
  if (value === "." || value === "..") throw new TypeError(`${field} is not an id`);
  return encodeURIComponent(value);
}

export function fillPath({ method, path, variables }: Endpoint, input: Input, scope: Scope): string {
  const last = path.slice(path.lastIndexOf("/") + 1);
  return variables.reduce((filled, { name, field }) => {
    // A DELETE must name its target. The client's defaults do not apply to it.
    const isTarget = method === "DELETE" && last === `:${name}`;
    const preset = SCOPE_OF[name];
    const value = input[field] ?? (preset && !isTarget ? scope[preset] : undefined);
    return filled.replace(`:${name}`, () => segment(field, value));
  }, path);
}

/** The form of a value in a query. Lists of words are separated by commas, and any other list is JSON. */
function queryText(value: unknown): string {
  if (Array.isArray(value) && value.length > 0 && value.every(word => typeof word === "string")) return value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function queryOf(fields: [string, unknown][]): string {
  const query = new URLSearchParams(
    fields.flatMap(([name, value]): [string, string][] =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([member, text]) => [`${name}.${member}`, queryText(text)])
        : [[name, queryText(value)]],
    ),
  ).toString();
  return query && `?${query}`;
}

/** @throws {TypeError} when a variable of the path has no value in the input or the scope */
export function requestOf(endpoint: Endpoint, input: Input, scope: Scope): ApiRequest {
  const { method, headers: headerFields, wholeBody } = endpoint;
  const headers: Record<string, string> = {};
  for (const [header, field] of Object.entries(headerFields)) {
    const value = input[field];
    if (isGiven(value)) headers[header] = HEADER_TEXT[header]?.(value) ?? String(value);
  }
  const elsewhere = new Set([...endpoint.variables.map(({ field }) => field), ...Object.values(headerFields)]);
  const rest = Object.entries(input).filter(([field, value]) => !elsewhere.has(field) && value !== undefined);
  const json = wholeBody !== undefined ? input[wholeBody] : rest.length > 0 ? Object.fromEntries(rest) : undefined;
  const inQuery = method === "GET" || method === "DELETE";
  const body = inQuery ? undefined : JSON.stringify(json);
  if (body !== undefined) headers["content-type"] = "application/json";
  const waitMs = headerFields.prefer ? Number(input[headerFields.prefer] ?? 0) : 0;
  const path = fillPath(endpoint, input, scope) + (inQuery ? queryOf(rest) : "");
  return { method, path, headers, body, waitMs };
}
