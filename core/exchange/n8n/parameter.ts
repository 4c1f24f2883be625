import { isObject } from "../../json.ts";
import { jsToJsonata } from "./js-to-jsonata.ts";
import { bracesIn } from "./marks.ts";
import type { References } from "./references.ts";
import { concat, literal, type Typed } from "./typed.ts";
import { Untranslatable } from "./untranslatable.ts";

/** A parameter whose text begins with `=` is an expression. The parts in double braces are JavaScript then. */
export const isExpression = (value: unknown): value is string => typeof value === "string" && value.startsWith("=");

/** The source of a parameter that is a single expression, apart from spaces around it; null for any other parameter. */
export function wholeExpression(value: unknown): string | null {
  const text = isExpression(value) ? value.slice(1).trim() : "";
  return text.startsWith("{{") && text.indexOf("}}") === text.length - 2 ? `=${text}` : null;
}

/** The texts and the expressions of a parameter, in order. */
function segments(text: string, to: References): Typed[] {
  const parts: Typed[] = [];
  let at = 0;
  for (const { start, end, inside } of bracesIn(text)) {
    if (start > at) parts.push(literal(text.slice(at, start)));
    parts.push(jsToJsonata(inside.trim(), to));
    at = end;
  }
  if (at < text.length) parts.push(literal(text.slice(at)));
  return parts;
}

/** Literal text: double braces in it must not become an expression. */
export const escapeText = (text: string): string => text.replaceAll("{{", '{{ "{{" }}');

/** A template that yields exactly this JSON value. */
export function constant(value: unknown): unknown {
  if (typeof value === "string") return escapeText(value);
  if (Array.isArray(value)) return value.map(constant);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, constant(part)]))
    : value;
}

const write = ({ literal: value, text }: Typed): string =>
  typeof value === "string" ? escapeText(value) : `{{ ${text} }}`;

/** The single expression of a parameter without text around it; null for any other parameter. */
const only = (parts: Typed[]): Typed | null =>
  parts.length === 1 && parts[0]!.literal === undefined ? parts[0]! : null;

/** A parameter as a Weft template: text with expressions, or JSON that contains such texts. */
export function toTemplate(value: unknown, to: References): unknown {
  if (Array.isArray(value)) return value.map(item => toTemplate(item, to));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toTemplate(part, to)]));
  if (typeof value !== "string") return value;
  if (!isExpression(value)) return escapeText(value);
  return segments(value.slice(1), to).map(write).join("");
}

/**
 * A parameter as one JSONata expression.
 * @throws {Untranslatable} when it cannot be translated, or is neither text, number nor boolean
 */
export function toExpression(value: unknown, to: References): Typed {
  if (isExpression(value)) {
    const parts = segments(value.slice(1), to);
    return only(parts) ?? concat(parts);
  }
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null)
    return literal(value);
  throw new Untranslatable("a value where a text or a number is expected");
}
