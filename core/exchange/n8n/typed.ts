import { Untranslatable } from "./untranslatable.ts";

/** JSONata with what is known of its value. */
export interface Typed {
  text: string;
  type: "text" | "number" | "boolean" | "object" | "list" | "any";
  /** It may be followed by a dot, and be part of anything, without parentheses around it. */
  simple: boolean;
  /** The value itself, where it is one. */
  literal?: string | number | boolean | null;
}

const MAX_LENGTH = 4_000;
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const RESERVED = new Set(["and", "or", "in", "true", "false", "null", "function"]);

/** An expression of several parts; in parentheses wherever it becomes a part itself. */
export function typed(text: string, type: Typed["type"] = "any", simple = false): Typed {
  if (text.length > MAX_LENGTH) throw new Untranslatable("an expression that gets too long here");
  return { text, type, simple };
}

export const call = (name: string, args: readonly Typed[], type: Typed["type"]): Typed =>
  typed(`$${name}(${args.map(({ text }) => text).join(", ")})`, type, true);

export function literal(value: string | number | boolean | null): Typed {
  const type = typeof value === "string" ? "text" : value === null ? "any" : (typeof value as "number" | "boolean");
  const isNegative = typeof value === "number" && value < 0;
  return { ...typed(JSON.stringify(value), type, !isNegative), literal: value };
}

/** As a part of a larger expression. */
export const part = ({ text, simple }: Typed): string => (simple ? text : `(${text})`);

/** A field by name or place. Errors: Untranslatable for names that cannot be written. */
export function field(of: Typed, name: string | number): Typed {
  if (typeof name === "number") {
    if (!Number.isInteger(name) || name < 0) throw new Untranslatable(`the place ${name} of a list`);
    return typed(`${part(of)}[${name}]`, "any", true);
  }
  if (/[`\p{Cc}]/u.test(name)) throw new Untranslatable("a field whose name has a backtick or a control character");
  const plain = PLAIN_NAME.test(name) && !RESERVED.has(name);
  return typed(`${part(of)}.${plain ? name : `\`${name}\``}`, "any", true);
}

/** Whether JavaScript takes a value for true; JSONata takes empty lists and objects for false. */
export function truth(value: Typed): Typed {
  if (value.type === "boolean") return value;
  return typed(`$exists(${value.text}) and $not(${part(value)} in [null, false, 0, ""])`, "boolean");
}

export const not = (value: Typed): Typed => typed(`$not(${truth(value).text})`, "boolean", true);

/** Whether a value is there and not null. */
export const isGiven = (value: Typed): Typed => typed(`$exists(${value.text}) and ${part(value)} != null`, "boolean");

/** Strict equality; what is not there equals nothing. */
export const equal = (a: Typed, b: Typed): Typed => typed(`${part(a)} = ${part(b)}`, "boolean");

/** Text put together from texts and values. */
export function concat(parts: readonly Typed[]): Typed {
  if (parts.length === 0) return literal("");
  if (parts.length === 1) return parts[0]!.type === "text" ? parts[0]! : call("string", parts, "text");
  return typed(parts.map(part).join(" & "), "text");
}
