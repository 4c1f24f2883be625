import { tagOf, tagsOfList, type Clause, type Payload } from "../../../core/search/payload.ts";
import { digest } from "../revision.ts";

// Expressions for FTS5's MATCH. They contain only quoted tokens of letters, digits and "_" that are made here. So user
// input never acts as syntax.

/** The tokens of lists. They are kept for the same reason as the tags of lists (`core/search/payload.ts`). */
const knownTokens = new WeakMap<object, { space: string; key: string; tokens: string }>();

function listTokens(space: string, key: string, list: readonly string[]): string {
  const known = knownTokens.get(list);
  if (known?.space === space && known.key === key) return known.tokens;
  const tokens = tagsOfList(key, list)
    .map(tag => tagToken(space, tag))
    .join(" ");
  knownTokens.set(list, { space, key, tokens });
  return tokens;
}

/** The content of column `tags`: the space, and each tag of the payload. */
export const tagTokens = (space: string, payload: Payload): string =>
  [
    space,
    ...Object.entries(payload).map(([key, value]) =>
      typeof value === "object" ? listTokens(space, key, value) : tagToken(space, tagOf(key, value)),
    ),
  ]
    .filter(tokens => tokens !== "")
    .join(" ");

/** The content of column `words`. */
export const wordTokens = (space: string, words: readonly string[]): string =>
  words.map(word => wordToken(space, word)).join(" ");

/** The expression of the clauses. Null if nothing can match. */
export function filterExpression(space: string, clauses: readonly Clause[]): string | null {
  if (clauses.some(({ not, values }) => !not && values.length === 0)) return null;
  const anyOf = ({ key, values }: Clause) =>
    `(tags : (${values.map(value => quoted(tagToken(space, tagOf(key, value)))).join(" OR ")}))`;
  const wanted = clauses.filter(({ not }) => !not).map(anyOf);
  const unwanted = clauses.filter(({ not, values }) => not && values.length > 0).map(anyOf);
  const all = wanted.length > 0 ? wanted.join(" AND ") : `(tags : ${quoted(space)})`;
  return unwanted.length > 0 ? `(${all}) NOT (${unwanted.join(" OR ")})` : `(${all})`;
}

/** The expression that matches any of these words. */
export const wordsExpression = (space: string, words: readonly string[]): string =>
  `(words : (${words.map(word => quoted(wordToken(space, word))).join(" OR ")}))`;

const wordToken = (space: string, word: string): string => `${space}_${word}`;
const tagToken = (space: string, tag: string): string => `${space}_${digest(tag, 8)}`;
const quoted = (token: string): string => `"${token}"`;
