import { clausesOf, payloadFault, type Clause, type Payload } from "../../core/search/payload.ts";
import { keywordsOf } from "../../core/search/keywords.ts";
import type { SearchMode } from "../../core/search/score.ts";
import { unit } from "../../core/search/vectors.ts";
import { InvalidSearchError } from "./errors.ts";
import type { Embedder, Entry, SearchQuery, Vector } from "./port.ts";

export const MAX_BATCH = 1000;
export const MAX_LIMIT = 1000;
const MAX_ID_CHARS = 128;
/** The most characters of a text that a model receives. Few models accept more. */
export const MAX_EMBEDDED_CHARS = 32_768;
const MAX_TEXT_CHARS = 1_000_000;
const MAX_QUESTION_CHARS = 1_000_000;
/** The most characters of a question that are searched for. */
const SEARCHED_CHARS = 10_000;
export const MAX_DIMENSION = 4096;

/** A vector of length 1. */
export interface CheckedVector {
  embedder: string;
  values: Float32Array;
}

export interface CheckedEntry {
  id: string;
  text: string;
  payload: Payload;
  vector: CheckedVector | null;
}

export interface CheckedQuery {
  keywords: string[];
  vector: CheckedVector | null;
  clauses: Clause[];
  limit: number;
  mode: SearchMode;
}

const fail = (message: string): never => {
  throw new InvalidSearchError(message);
};

export function checkId(id: unknown, name = "an id"): string {
  if (typeof id === "string" && id !== "" && id.length <= MAX_ID_CHARS && id.isWellFormed()) return id;
  return fail(`${name} is a text of 1 to ${MAX_ID_CHARS} characters`);
}

export function checkBatch<T>(items: readonly T[]): readonly T[] {
  return items.length <= MAX_BATCH ? items : fail(`at most ${MAX_BATCH} entries at once`);
}

export function checkLimit(limit: number): number {
  return Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT
    ? limit
    : fail(`limit is an integer from 1 to ${MAX_LIMIT}`);
}

export function checkEmbedder({ id, dimension }: Embedder): Embedder {
  if (!Number.isInteger(dimension) || dimension < 1 || dimension > MAX_DIMENSION)
    fail(`an embedder's dimension is an integer from 1 to ${MAX_DIMENSION}`);
  return { id: checkId(id, "an embedder's id"), dimension };
}

/** Checks a vector against its embedder, which the caller knows. */
export function checkVector({ embedder, values }: Vector, known: Embedder): CheckedVector {
  if (values.length !== known.dimension)
    fail(`a vector of ${embedder} has ${known.dimension} dimensions, not ${values.length}`);
  return { embedder, values: unit(values) ?? fail("a vector holds finite numbers, not all of them zero") };
}

export function checkEntry(entry: Entry, embedderOf: (id: string) => Embedder): CheckedEntry {
  const { text, payload = {}, vector } = entry;
  if (typeof text !== "string" || text.length > MAX_TEXT_CHARS) fail(`a text has at most ${MAX_TEXT_CHARS} characters`);
  const fault = payloadFault(payload);
  if (fault) fail(fault);
  return {
    id: checkId(entry.id),
    text: text.toWellFormed(),
    payload,
    vector: vector ? checkVector(vector, embedderOf(vector.embedder)) : null,
  };
}

/** The checked clauses of a filter. */
export function checkFilter(filter: SearchQuery["filter"]): Clause[] {
  const clauses = clausesOf(filter ?? {});
  return typeof clauses === "string" ? fail(clauses) : clauses;
}

export function checkQuery(query: SearchQuery, embedderOf: (id: string) => Embedder): CheckedQuery {
  const { text, vector, mode = "hybrid" } = query;
  if (!["hybrid", "vector", "keyword"].includes(mode)) fail("mode is hybrid, vector or keyword");
  if (text !== undefined && (typeof text !== "string" || text.length > MAX_QUESTION_CHARS))
    fail(`a question has at most ${MAX_QUESTION_CHARS} characters`);
  if (mode === "vector" ? !vector : text === undefined && (mode === "keyword" || !vector))
    fail(mode === "hybrid" ? "a search needs a text or a vector" : `a search by ${mode} needs one`);
  return {
    keywords: keywordsOf((text ?? "").slice(0, SEARCHED_CHARS)),
    vector: vector ? checkVector(vector, embedderOf(vector.embedder)) : null,
    clauses: checkFilter(query.filter),
    limit: checkLimit(query.limit),
    mode,
  };
}
