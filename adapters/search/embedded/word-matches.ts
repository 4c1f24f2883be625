import { requiredMatches } from "../../../core/search/keywords.ts";
import type { Statements } from "../../store/sqlite/statements.ts";
import { wordsExpression } from "./match-expression.ts";

/** A word in more than this share of a space's texts says as little about them as a stop word, in any language. */
const COMMON_SHARE = 0.2;
const COMMON_LEAST = 200;
/** The most texts to read for one word, whatever the size of the space. */
const COMMON_MOST = 20_000;

export interface WordMatches {
  /** The numbers of the entries that the keywords match. */
  matching: Set<number>;
  /** The weights of the best entries by words, by entry number. */
  weights: Map<number, number>;
}

/**
 * Finds the entries that the keywords match within a filter's expression, with the weights of at most `limit` of them.
 */
export function matchWords(
  statements: Statements,
  space: string,
  keywords: readonly string[],
  filter: string | null,
  limit: number,
): WordMatches {
  const within = (expression: string) => (filter === null ? expression : `${expression} AND ${filter}`);
  const significant = withoutCommon(statements, space, keywords);
  const counts = new Map<number, number>();
  for (const word of significant)
    for (const n of matchingNumbers(statements, within(wordsExpression(space, [word])), COMMON_MOST))
      counts.set(n, (counts.get(n) ?? 0) + 1);
  const needed = requiredMatches(significant.length);
  const matching = new Set<number>();
  for (const [n, count] of counts) if (count >= needed) matching.add(n);

  const sql = `SELECT rowid, -bm25("search:words", 1, 0) FROM "search:words" WHERE "search:words" MATCH ? ORDER BY 2 DESC LIMIT ?`;
  const ranked = matching.size > 0 ? statements.get(sql).all(within(wordsExpression(space, significant)), limit) : [];
  const weights = new Map(ranked as unknown as [number, number][]);
  for (const n of weights.keys()) if (!matching.has(n)) weights.delete(n);
  return { matching, weights };
}

function withoutCommon(statements: Statements, space: string, keywords: readonly string[]): string[] {
  const sql = `SELECT count(*) FROM (SELECT 1 FROM "search:words" WHERE "search:words" MATCH ? LIMIT ?)`;
  const counts = keywords.map(word => Number(first(statements, sql, wordsExpression(space, [word]), COMMON_MOST + 1)));
  if (counts.every(count => count <= COMMON_LEAST)) return [...keywords];
  const size = Number(first(statements, `SELECT count(*) FROM "search:entries" WHERE space = ?`, space));
  const most = Math.min(Math.max(COMMON_LEAST, size * COMMON_SHARE), COMMON_MOST);
  const significant = keywords.filter((_, place) => (counts[place] ?? 0) <= most);
  return significant.length > 0 ? significant : [...keywords];
}

/**
 * The numbers of at most `limit` entries that match an expression. SQLite returns them as one text, because reading row
 * by row would cost more than finding them.
 */
export function matchingNumbers(statements: Statements, expression: string, limit: number): number[] {
  const sql = `SELECT json_group_array(rowid) FROM (SELECT rowid FROM "search:words" WHERE "search:words" MATCH ? LIMIT ?)`;
  return JSON.parse(String(first(statements, sql, expression, limit))) as number[];
}

function first(statements: Statements, sql: string, ...params: (string | number)[]): unknown {
  return (statements.get(sql).get(...params) as unknown as unknown[] | undefined)?.[0];
}
