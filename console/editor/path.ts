import { type Language, type Token, tokensOf } from "./tokens.ts";

/** A part of a path: a member by name, an item by index, or all items that match a condition. */
export type Segment = string | number | { each: true };

/** The name that is being typed at a position of an expression. */
export interface Typed {
  kind: "name" | "function";
  /**
   * The path of the value that has the name as a member. Empty for the scope itself. Undefined if the value is unknown.
   */
  base: Segment[] | undefined;
  /** The part of the name before the cursor. */
  partial: string;
  /** The start of the name, including its quote. */
  from: number;
  /** The position of the dot before the name. In JavaScript, names that need brackets replace it. */
  dot: number | undefined;
}

const isWord = ({ kind, text }: Token) =>
  kind === "name" || kind === "keyword" || (kind === "function" && text !== "$");
const nameOf = ({ text }: Token) => (text.startsWith("`") ? text.slice(1, text.endsWith("`") ? -1 : undefined) : text);
const OPENING: Record<string, string> = { "]": "[", ")": "(", "}": "{" };

/** The index of the bracket that matches the one at `close`, or -1. */
function openingOf(tokens: readonly Token[], close: number): number {
  let depth = 0;
  for (let n = close; n >= 0; n--) {
    const { text, kind } = tokens[n]!;
    if (kind !== "operator") continue;
    if (text in OPENING) depth++;
    else if ("[({".includes(text) && --depth === 0) return n;
  }
  return -1;
}

/** The path that ends with the token at `end`. Undefined if its value is unknown. */
function pathTo(tokens: readonly Token[], end: number, language: Language): Segment[] | undefined {
  const segments: Segment[] = [];
  for (let n = end; ;) {
    const token = tokens[n];
    if (!token) return undefined;
    if (token.text === "]" && token.kind === "operator") {
      const open = openingOf(tokens, n);
      const inner = tokens.slice(open + 1, n);
      const isIndex = inner.length === 1 && inner[0]!.kind === "number";
      const isName = inner.length === 1 && inner[0]!.kind === "string";
      segments.unshift(isIndex ? Number(inner[0]!.text) : isName ? inner[0]!.text.slice(1, -1) : { each: true });
      n = open - 1;
      continue;
    }
    if (token.kind === "function") return token.text === "$$" ? segments : undefined;
    if (!isWord(token)) return undefined;
    segments.unshift(nameOf(token));
    const before = tokens[n - 1];
    if (before?.text !== "." && before?.text !== "?.") return within(tokens, n, segments, language);
    n -= 2;
  }
}

/** The innermost bracket that is open before `end`, or -1. */
function enclosing(tokens: readonly Token[], end: number): number {
  let depth = 0;
  for (let n = end - 1; n >= 0; n--) {
    const { text, kind } = tokens[n]!;
    if (kind !== "operator") continue;
    if (text in OPENING) depth++;
    else if ("[({".includes(text) && depth-- === 0) return n;
  }
  return -1;
}

/** Extends a path at the token `at`. Inside `[…]`, `.(…)` and `.{…}`, names are members of the value before. */
function within(tokens: readonly Token[], at: number, segments: Segment[], language: Language): Segment[] | undefined {
  if (language === "javascript") return segments;
  const open = enclosing(tokens, at);
  const before = tokens[open - 1];
  if (!before) return segments;
  const bracket = tokens[open]!.text;
  const isFilter = bracket === "[" && (isWord(before) || before.text === "]");
  const isMapped = bracket !== "[" && before.text === ".";
  if (!isFilter && !isMapped) return within(tokens, open, segments, language);
  const outer = pathTo(tokens, isFilter ? open - 1 : open - 2, language);
  return outer && [...outer, { each: true }, ...segments];
}

/**
 * The name that is being typed at `at`. Undefined where nothing can be completed: outside of braces, in strings and in
 * numbers.
 */
export function typedAt(text: string, at: number, language: Language): Typed | undefined {
  const { tokens: all, state } = tokensOf(text, language, at);
  if (language === "json" || language === "text" || (language === "template" && !state.inside)) return undefined;
  const opened = all.findLastIndex(({ kind }) => kind === "brace");
  const tokens = all.slice(opened + 1).filter(({ kind, text: one }) => kind !== "comment" && one.trim() !== "");
  const last = tokens.at(-1);
  if (state.open !== "" && state.open !== "`") return undefined;
  if (state.open === "" && last?.kind === "name" && last.text.startsWith("`") && last.to === at) return undefined;
  const touches = last !== undefined && last.to === at;
  if (touches && (last.kind === "number" || last.kind === "string")) return undefined;
  if (touches && last.kind === "function") {
    return { kind: "function", base: [], partial: last.text, from: last.from, dot: undefined };
  }
  const typed = touches && isWord(last) ? last : undefined;
  const end = typed ? tokens.length - 1 : tokens.length;
  const before = tokens[end - 1];
  const partial = typed ? nameOf(typed) : "";
  const from = typed?.from ?? at;
  const isMember = before?.text === "." || before?.text === "?.";
  const base = isMember ? pathTo(tokens, end - 2, language) : within(tokens, end, [], language);
  return { kind: "name", base, partial, from, dot: isMember ? before.from : undefined };
}

const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;
const RESERVED = new Set(["and", "or", "in", "true", "false", "null", "function"]);

/** A name as an expression writes it. Undefined if expressions cannot write it. */
export function nameInExpression(name: string): string | undefined {
  if (PLAIN.test(name) && !RESERVED.has(name)) return name;
  return name.includes("`") || name === "" ? undefined : `\`${name}\``;
}

const inExpression = (part: string | number, n: number): string | undefined => {
  if (typeof part === "number") return `[${part}]`;
  const name = nameInExpression(part);
  return name === undefined ? undefined : n === 0 ? name : `.${name}`;
};
const inScript = (part: string | number, n: number): string =>
  typeof part === "number"
    ? `[${part}]`
    : PLAIN.test(part)
      ? `${n === 0 ? "" : "."}${part}`
      : `[${JSON.stringify(part)}]`;

/** The expression for the value at a path. Undefined if it cannot be written. */
export function pathText(path: readonly (string | number)[], language: Language): string | undefined {
  const parts = path.map(language === "javascript" ? inScript : inExpression);
  return parts.every(part => part !== undefined) ? parts.join("") : undefined;
}
