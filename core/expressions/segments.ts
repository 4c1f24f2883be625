import { MAX_EXPRESSION_LENGTH } from "./limits.ts";
import { nextToken } from "./tokens.ts";

/** A piece of a string: text to keep, or the source of an expression without its braces. */
export type Segment = { kind: "text"; text: string } | { kind: "expression"; source: string; start: number };

/** The position of the `}}` that closes the expression beginning at `start`. */
function findClose(source: string, start: number): number | undefined {
  const limit = Math.min(source.length, start + MAX_EXPRESSION_LENGTH + 2);
  const window = source.slice(start, limit);
  let depth = 0;
  let at = 0;
  let operand = false;
  for (;;) {
    const token = nextToken(window, at, operand);
    if (token === undefined) return undefined;
    if (token.text === "{") depth++;
    else if (token.text === "}" && depth > 0) depth--;
    else if (token.text === "}" && window[token.end] === "}") return start + token.end - 1;
    at = token.end;
    operand = token.operand;
  }
}

/**
 * Splits a string at its `{{ expressions }}`. An expression ends at the first `}}` outside string literals, quoted
 * names, regular expressions and comments, once every brace opened inside it is closed. So `{{ {"a": {"b": 1}} }}` and
 * `{{ "}}" }}` are one expression each. If there is no such `}}` (a quote never ends), the first `}}` of all ends the
 * expression, so that the parser can report the fault. The rest of the string is text then. Returns undefined when an
 * expression is opened and never closed.
 */
export function splitSegments(text: string): Segment[] | undefined {
  const segments: Segment[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("{{", at);
    if (open < 0) break;
    if (open > at) segments.push({ kind: "text", text: text.slice(at, open) });
    const start = open + 2;
    const balanced = findClose(text, start);
    const close = balanced ?? text.indexOf("}}", start);
    if (close < 0) return undefined;
    segments.push({ kind: "expression", source: text.slice(start, close), start });
    at = close + 2;
    if (balanced === undefined) break;
  }
  if (at < text.length) segments.push({ kind: "text", text: text.slice(at) });
  return segments;
}
