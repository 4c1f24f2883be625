import { isObject } from "../json.ts";

/** A finished page, as a record of the step. */
export interface Page {
  page: number;
  status: number;
  items: unknown[];
  /** Where the next page is; null after the last one. */
  next: NextPage | null;
}

/** An address, or parameters that replace those of the step's own query. */
export type NextPage = { url: string } | { query: Record<string, unknown> };

/** How a step says where its next page is. */
export type NextRule = "link" | { url: unknown } | { query: Record<string, unknown> };

/** The items that an expression found: a list, a single value, or nothing. */
export const itemsOf = (found: unknown): unknown[] =>
  Array.isArray(found) ? (found as unknown[]) : found === null || found === undefined ? [] : [found];

const QUOTED = /^"((?:[^"\\]|\\.)*)"/;

/** The relations of one link, and the text after the comma that ends it. */
function relations(text: string): { rels: string[]; rest: string } {
  let rest = text;
  const rels: string[] = [];
  for (;;) {
    const parameter = /^\s*;\s*([\w!#$%&'*+.^`|~-]+)\s*(=\s*)?/.exec(rest);
    if (!parameter) return { rels, rest };
    rest = rest.slice(parameter[0].length);
    if (parameter[2] === undefined) continue;
    const [whole = "", quoted] = QUOTED.exec(rest) ?? /^[^\s;,]+/.exec(rest) ?? [];
    rest = rest.slice(whole.length);
    const value = quoted?.replace(/\\(.)/g, "$1") ?? whole;
    // Only the first `rel` of a link counts.
    if (parameter[1]!.toLowerCase() === "rel" && rels.length === 0) rels.push(...value.toLowerCase().split(/\s+/));
  }
}

/** The target of the link with the relation `next` in a Link header (RFC 8288), not resolved. */
export function nextLink(header: string | undefined): string | undefined {
  let rest = header ?? "";
  for (;;) {
    const link = /^[\s,]*<([^>]*)>/.exec(rest);
    if (!link) return undefined;
    const read = relations(rest.slice(link[0].length));
    if (read.rels.includes("next")) return link[1]?.trim();
    rest = read.rest;
  }
}

const isGiven = (value: unknown) => value !== null && value !== undefined && value !== "";

/**
 * The address of the next page, according to the evaluated rule. Null after the last page: the rule gave no link, no
 * address, or no parameter with a value. Relative addresses are resolved against the address of the current page.
 * @throws {TypeError} when the address is not valid
 */
export function nextPage(
  rule: NextRule,
  { url, headers }: { url: string; headers: Readonly<Record<string, string>> },
): NextPage | null {
  if (rule !== "link" && "query" in rule) {
    const query = isObject(rule.query) ? rule.query : {};
    return Object.values(query).some(isGiven) ? { query } : null;
  }
  const given = rule === "link" ? nextLink(headers.link) : rule.url;
  if (!isGiven(given) || given === false) return null;
  if (typeof given !== "string" || !URL.canParse(given, url)) throw new TypeError("Not the address of a page");
  return { url: new URL(given, url).href };
}
