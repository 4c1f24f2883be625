import { callOf, globalOf } from "./js-functions.ts";
import { dateOf } from "./js-dates.ts";
import { type Js, parseJs, TOO_DEEP } from "./js-expression.ts";
import { reference, type References } from "./references.ts";
import { concat, equal, field, isGiven, literal, not, part, truthyInJs, type Typed, typed } from "./typed.ts";
import { shown, Untranslatable } from "./untranslatable.ts";

/** A text that JavaScript's loose comparison does not convert to a number. */
const isWord = (value: unknown): boolean => typeof value === "string" && Number.isNaN(Number(value));

function looselyEqual(a: Typed, b: Typed): Typed {
  if (a.literal === null || b.literal === null) return not(isGiven(a.literal === null ? b : a));
  const sameType = a.type === b.type && ["text", "number", "boolean"].includes(a.type);
  if (sameType || isWord(a.literal) || isWord(b.literal)) return equal(a, b);
  throw new Untranslatable("`==` between values that it may convert; use `===`");
}

function plus(a: Typed, b: Typed): Typed {
  if (a.type === "text" || b.type === "text") return concat([a, b]);
  if (a.type === "number" || b.type === "number") return typed(`${part(a)} + ${part(b)}`, "number");
  throw new Untranslatable("`+` between values that may be numbers or texts");
}

/** `a && b` and `a || b` return one of their operands. For booleans that is `and` and `or`. */
function logical(op: "&&" | "||", a: Typed, b: Typed): Typed {
  if (a.type === "boolean" && b.type === "boolean") {
    return typed(`${part(a)} ${op === "&&" ? "and" : "or"} ${part(b)}`, "boolean");
  }
  const [then, other] = op === "&&" ? [b, a] : [a, b];
  return typed(`(${truthyInJs(a).text}) ? ${part(then)} : ${part(other)}`, a.type === b.type ? a.type : "any");
}

function binary(op: string, a: Typed, b: Typed): Typed {
  switch (op) {
    case "+":
      return plus(a, b);
    case "===":
      return equal(a, b);
    case "!==":
      return not(equal(a, b));
    case "==":
      return looselyEqual(a, b);
    case "!=":
      return not(looselyEqual(a, b));
    case "&&":
    case "||":
      return logical(op, a, b);
    case "??":
      return typed(`(${isGiven(a).text}) ? ${part(a)} : ${part(b)}`, a.type === b.type ? a.type : "any");
    default: {
      const type = ["<", ">", "<=", ">="].includes(op) ? "boolean" : "number";
      return typed(`${part(a)} ${op} ${part(b)}`, type);
    }
  }
}

/** JSONata flattens nested lists, so an item is allowed only if it cannot be a list. */
function list(items: Typed[]): Typed {
  if (items.some(({ type }) => type === "any" || type === "list")) {
    throw new Untranslatable("a list of values that may be lists themselves");
  }
  return typed(`[${items.map(({ text }) => text).join(", ")}]`, "list", true);
}

function convert(js: Js, to: References): Typed {
  const into = (inner: Js) => convert(inner, to);
  const known = reference(js, to);
  if (known) return known;
  const time = dateOf(js, to, into);
  if (time) return time;
  switch (js.kind) {
    case "literal":
      return literal(js.value);
    case "template":
      return concat([literal(""), ...js.parts.map(one => (typeof one === "string" ? literal(one) : into(one)))]);
    case "unary": {
      const value = into(js.value);
      return js.op === "!" ? not(value) : typed(`-${part(value)}`, "number");
    }
    case "binary":
      return binary(js.op, into(js.left), into(js.right));
    case "ternary": {
      const [then, other] = [into(js.then), into(js.other)];
      const type = then.type === other.type ? then.type : "any";
      return typed(`(${truthyInJs(into(js.test)).text}) ? ${part(then)} : ${part(other)}`, type);
    }
    case "array":
      return list(js.items.map(into));
    case "object": {
      const entries = js.entries.map(([key, value]) => `${JSON.stringify(key)}: ${into(value).text}`);
      return typed(`{${entries.join(", ")}}`, "object", true);
    }
    case "call":
      return callOf(js, into);
    case "name":
      throw new Untranslatable(`\`${shown(js.name)}\``);
    case "member":
      return member(js, into);
  }
}

function member(js: Extract<Js, { kind: "member" }>, into: (js: Js) => Typed): Typed {
  const global = globalOf(js);
  if (global) return global;
  const object = into(js.object);
  if (js.name !== "length") return field(object, js.name);
  if (object.type === "text") return typed(`$length(${object.text})`, "number", true);
  if (object.type === "list") return typed(`$count(${object.text})`, "number", true);
  return typed(`$type(${object.text}) = "array" ? $count(${object.text}) : $length(${object.text})`, "number");
}

/**
 * Converts a JavaScript expression of n8n to an equivalent JSONata expression.
 * @throws {Untranslatable} when the equivalence is not certain
 */
export function jsToJsonata(source: string, to: References): Typed {
  to.countExpression?.();
  const js = parseJs(source);
  try {
    return convert(js, to);
  } catch (error) {
    // A chain of operators is nested once for each of its links.
    throw error instanceof RangeError ? new Untranslatable(TOO_DEEP) : error;
  }
}
