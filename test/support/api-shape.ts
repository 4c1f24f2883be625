import type { Json } from "./api.ts";

/** What a call of an operation sends. */
export interface Sent {
  method: string;
  /** The path with its query. */
  url: string;
  /** Those that are looked at. */
  headers?: Record<string, string>;
  body?: unknown;
}

/** A page that the stub of an API answers with, by the query of the request. */
export type Pages = (query: URLSearchParams, at: string) => { body: unknown; headers?: Record<string, string> };

/** A document of the kind that large public services publish, written for these tests. */
export interface ApiShape {
  name: string;
  /** An object, or a text of YAML. `at` is the address of the stub. */
  document: (at: string) => object | string;
  operations: number;
  /** What a person would ask for, and the operation that they mean. */
  find: { query: string; operation: string };
  call: { operation: string; arguments: Json; sent: Sent };
  /** Arguments of that operation which its schema refuses. */
  refused: Json;
  paging?: { operation: string; arguments?: Json; pagination: object; path: string; answer: Pages };
}

/** Six items in pages of two. */
export const ITEMS = [1, 2, 3, 4, 5, 6].map(n => ({ n }));
export const pageOf = (from: number) => ITEMS.slice(from, from + 2);
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const json = (schema: object, required = true) => ({ required, content: { "application/json": { schema } } });
export const given = (name: string, place: "query" | "path" | "header", schema: object, more: object = {}) => ({
  ...{ name, in: place, required: place === "path", schema, ...more },
});
export const text = { type: "string" };
export const whole = { type: "integer" };
/** Names for many like operations. */
export const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
