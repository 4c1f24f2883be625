import { isObject } from "../json.ts";
import type { ApiParameter } from "./operation.ts";

const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

const encoded = (value: unknown): string => encodeURIComponent(textOf(value));

/** The values of a list or an object in a row. An object gives its keys and values in turn, or as `key=value`. */
function inRow(value: unknown, explode: boolean): string[] | undefined {
  if (Array.isArray(value)) return value.map(encoded);
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).map(([key, held]) => [encodeURIComponent(key), encoded(held)] as const);
  return explode ? entries.map(([key, held]) => `${key}=${held}`) : entries.flat();
}

/** An encoded path parameter in the form that the path needs (OpenAPI 3.1, section 4.8.12.4 "Style Examples"). */
export function inPath({ name, style, explode, json }: ApiParameter, value: unknown): string {
  if (json) return encodeURIComponent(JSON.stringify(value));
  const row = inRow(value, explode);
  switch (style) {
    case "label":
      return `.${row?.join(explode ? "." : ",") ?? encoded(value)}`;
    case "matrix": {
      if (!row) return `;${name}=${encoded(value)}`;
      if (!explode) return `;${name}=${row.join(",")}`;
      return Array.isArray(value) ? row.map(one => `;${name}=${one}`).join("") : row.map(one => `;${one}`).join("");
    }
    default:
      return row?.join(",") ?? encoded(value);
  }
}

const SEPARATORS: Partial<Record<ApiParameter["style"], string>> = { spaceDelimited: " ", pipeDelimited: "|" };

/** A query or cookie parameter as pairs of name and value, not yet encoded. */
export function asPairs({ name, style, explode, json }: ApiParameter, value: unknown): [string, string][] {
  if (json) return [[name, JSON.stringify(value)]];
  if (Array.isArray(value)) {
    const values = (value as unknown[]).map(textOf);
    const separator = SEPARATORS[style];
    if (explode && separator === undefined) return values.map(one => [name, one]);
    return values.length > 0 ? [[name, values.join(separator ?? ",")]] : [];
  }
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, held]) => [key, textOf(held)] as const);
    if (style === "deepObject") return entries.map(([key, held]) => [`${name}[${key}]`, held]);
    if (explode) return entries.map(([key, held]) => [key, held]);
    return entries.length > 0 ? [[name, entries.flat().join(",")]] : [];
  }
  return [[name, textOf(value)]];
}

/** A header parameter as the value of its header. */
export function inHeader({ explode, json }: ApiParameter, value: unknown): string {
  if (json) return JSON.stringify(value);
  if (Array.isArray(value)) return (value as unknown[]).map(textOf).join(",");
  if (!isObject(value)) return textOf(value);
  const entries = Object.entries(value).map(([key, held]) => [key, textOf(held)] as const);
  return explode ? entries.map(([key, held]) => `${key}=${held}`).join(",") : entries.flat().join(",");
}

/** The deepest level at which form fields are written. */
const MAX_DEPTH = 20;

function deepPairs(name: string, value: unknown, depth: number): [string, unknown][] {
  if (typeof value !== "object" || value === null || depth === 0) return [[name, value]];
  return Object.entries(value).flatMap(([key, held]) => deepPairs(`${name}[${key}]`, held, depth - 1));
}

/** The body of a form. Its fields with the style `deepObject` become `field[name]`, or `field[0]` for list items. */
export function withDeepFields(body: unknown, deep: readonly string[]): unknown {
  if (!isObject(body)) return body;
  const fields = Object.entries(body).flatMap(([name, value]): [string, unknown][] =>
    deep.includes(name) ? deepPairs(name, value, MAX_DEPTH) : [[name, value]],
  );
  return Object.fromEntries(fields);
}
