import { Untranslatable } from "./untranslatable.ts";

/** A JSONata expression, with what is known about its value. */
export interface Typed {
  text: string;
  type: "text" | "number" | "boolean" | "object" | "list" | "any";
  /** The expression needs no parentheses before a dot or inside another expression. */
  simple: boolean;
  /** The value itself, when the expression is a literal. */
  literal?: string | number | boolean | null;
}

const MAX_LENGTH = 4_000;
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const RESERVED = new Set(["and", "or", "in", "true", "false", "null", "function"]);

/** A compound expression. It gets parentheses when it becomes a part of another expression. */
export function typed(text: string, type: Typed["type"] = "any", simple = false): Typed {
  if (text.length > MAX_LENGTH) throw new Untranslatable("an expression that becomes too long");
  return { text, type, simple };
}

export const call = (name: string, args: readonly Typed[], type: Typed["type"]): Typed =>
  typed(`$${name}(${args.map(({ text }) => text).join(", ")})`, type, true);

export function literal(value: string | number | boolean | null): Typed {
  const type = typeof value === "string" ? "text" : value === null ? "any" : (typeof value as "number" | "boolean");
  const isNegative = typeof value === "number" && value < 0;
  return { ...typed(JSON.stringify(value), type, !isNegative), literal: value };
}

/** The expression as a part of a larger one. */
export const part = ({ text, simple }: Typed): string => (simple ? text : `(${text})`);

/**
 * A field by name or index.
 * @throws {Untranslatable} when the name cannot be written in JSONata
 */
export function field(of: Typed, name: string | number): Typed {
  if (typeof name === "number") {
    if (!Number.isInteger(name) || name < 0) throw new Untranslatable(`the place ${name} of a list`);
    return typed(`${part(of)}[${name}]`, "any", true);
  }
  if (/[`\p{Cc}]/u.test(name)) throw new Untranslatable("a field whose name has a backtick or a control character");
  const plain = PLAIN_NAME.test(name) && !RESERVED.has(name);
  return typed(`${part(of)}.${plain ? name : `\`${name}\``}`, "any", true);
}

/** Whether JavaScript treats a value as true. JSONata treats empty lists and objects as false. */
export function truthyInJs(value: Typed): Typed {
  if (value.type === "boolean") return value;
  return typed(`$exists(${value.text}) and $not(${part(value)} in [null, false, 0, ""])`, "boolean");
}

export const not = (value: Typed): Typed => typed(`$not(${truthyInJs(value).text})`, "boolean", true);

/** Whether a value exists and is not null. */
export const isGiven = (value: Typed): Typed => typed(`$exists(${value.text}) and ${part(value)} != null`, "boolean");

/** Strict equality. A missing value equals nothing. */
export const equal = (a: Typed, b: Typed): Typed => typed(`${part(a)} = ${part(b)}`, "boolean");

/** Text concatenated from texts and values. */
export function concat(parts: readonly Typed[]): Typed {
  if (parts.length === 0) return literal("");
  if (parts.length === 1) return parts[0]!.type === "text" ? parts[0]! : call("string", parts, "text");
  return typed(parts.map(part).join(" & "), "text");
}
