import type { Json } from "./api.ts";

/** The request that a call of an operation sends. */
export interface Sent {
  method: string;
  /** The path with its query. */
  url: string;
  /** The headers that the test checks. */
  headers?: Record<string, string>;
  body?: unknown;
}

/** Returns a page of the API stub for the query of a request. */
export type Pages = (query: URLSearchParams, at: string) => { body: unknown; headers?: Record<string, string> };

/** A document like those of large public services, written for these tests. */
export interface ApiShape {
  name: string;
  /** An object, or YAML text. `at` is the address of the stub. */
  document: (at: string) => object | string;
  operations: number;
  /** A question of a person, and the operation that it should find. */
  find: { query: string; operation: string };
  call: { operation: string; arguments: Json; sent: Sent };
  /** Arguments that the operation's schema refuses. */
  refused: Json;
  paging?: { operation: string; arguments?: Json; pagination: object; path: string; answer: Pages };
}

/** six items in pages of two */
export const ITEMS = [1, 2, 3, 4, 5, 6].map(n => ({ n }));
export const pageOf = (from: number) => ITEMS.slice(from, from + 2);
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const json = (schema: object, required = true) => ({ required, content: { "application/json": { schema } } });
export const given = (name: string, place: "query" | "path" | "header", schema: object, more: object = {}) => ({
  ...{ name, in: place, required: place === "path", schema, ...more },
});
export const text = { type: "string" };
export const whole = { type: "integer" };
/** Creates many similar operations. */
export const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
