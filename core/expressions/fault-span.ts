import type { FaultPlace } from "./expression-error.ts";
import { splitSegments } from "./segments.ts";

export interface Span {
  from: number;
  to: number;
}

const WORD = /[\w$]/;

/** The expression that is opened in a text and never closed: the last one whose preceding text is complete. */
function unclosed(text: string): Span {
  let from = text.lastIndexOf("{{");
  while (from > 0 && splitSegments(text.slice(0, from)) === undefined) from = text.lastIndexOf("{{", from - 1);
  return { from: Math.max(from, 0), to: text.length };
}

/**
 * The part of a text with `{{ expressions }}` that a fault is about: the word up to the fault's position, else the
 * expression, else the whole text.
 */
export function faultSpan(text: string, { source, position }: FaultPlace): Span {
  const segments = splitSegments(text);
  if (!segments) return unclosed(text);
  const expressions = segments.filter(segment => segment.kind === "expression");
  const found = expressions.find(segment => segment.source === source) ?? expressions[0];
  if (!found) return { from: 0, to: text.length };
  const { start, source: within } = found;
  if (position === undefined || position < 1 || position > within.length)
    return { from: start, to: start + within.length };
  let from = position - 1;
  while (from > 0 && WORD.test(within[from - 1]!)) from--;
  return { from: start + from, to: start + position };
}
