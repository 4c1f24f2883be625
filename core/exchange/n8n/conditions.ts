import { isObject } from "../../json.ts";
import { endsWith, startsWith } from "./js-functions.ts";
import { listAt, objectAt, textAt, type Translation } from "./translation.ts";
import { call, equal, isGiven, literal, not, part, type Typed, typed } from "./typed.ts";
import { shown, Untranslatable } from "./untranslatable.ts";

/** A comparison of n8n: left side, operation, right side. */
interface Comparison {
  type: string;
  operation: string;
  left: Typed;
  right: Typed;
}

type Write = (left: Typed, right: Typed, type: string) => Typed;

const compare =
  (op: string): Write =>
  (left, right) =>
    typed(`${part(left)} ${op} ${part(right)}`, "boolean");
/** `$contains` and similar functions return nothing for a missing text. That counts as false. */
const surely = (value: Typed): Typed => typed(`(${value.text}) = true`, "boolean");

const contains: Write = (left, right, type) =>
  type === "array"
    ? typed(`${part(right)} in ${part(left)}`, "boolean")
    : surely(call("contains", [left, right], "any"));

const isEmpty: Write = (left, _right, type) => {
  const missing = `$not($exists(${left.text})) or ${part(left)} = null`;
  if (type === "array") return typed(`${missing} or $count(${left.text}) = 0`, "boolean");
  if (type === "object") return typed(`${missing} or $count($keys(${left.text})) = 0`, "boolean");
  return typed(`${missing} or ${part(left)} = ""`, "boolean");
};

const isTrue: Write = left => equal(left, literal(true));
const isFalse: Write = left => equal(left, literal(false));

/** Operations by their names in the newer and the older form. */
const OPERATIONS: Record<string, Write> = {
  equals: equal,
  equal,
  notEquals: (left, right) => not(equal(left, right)),
  notEqual: (left, right) => not(equal(left, right)),
  contains,
  notContains: (...all) => not(contains(...all)),
  startsWith: (left, right) => surely(startsWith(left, right)),
  notStartsWith: (left, right) => not(surely(startsWith(left, right))),
  endsWith: (left, right) => surely(endsWith(left, right)),
  notEndsWith: (left, right) => not(surely(endsWith(left, right))),
  gt: compare(">"),
  larger: compare(">"),
  gte: compare(">="),
  largerEqual: compare(">="),
  lt: compare("<"),
  smaller: compare("<"),
  lte: compare("<="),
  smallerEqual: compare("<="),
  empty: isEmpty,
  isEmpty,
  notEmpty: (...all) => not(isEmpty(...all)),
  isNotEmpty: (...all) => not(isEmpty(...all)),
  exists: isGiven,
  notExists: left => not(isGiven(left)),
  true: isTrue,
  false: isFalse,
};

/** Types whose values JSONata compares as n8n does. */
const TYPES = new Set(["string", "number", "boolean", "array", "object", "any"]);

function write({ type, operation, left, right }: Comparison): Typed {
  const operate = Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation] : undefined;
  if (!operate || !TYPES.has(type)) throw new Untranslatable(`the comparison "${shown(`${type} ${operation}`)}"`);
  return operate(left, right, type);
}

const lower = (value: Typed): Typed =>
  typeof value.literal === "string" ? literal(value.literal.toLowerCase()) : call("lowercase", [value], "text");

/** A number that was written as text, as a number. */
function asNumber(value: Typed): Typed {
  const { literal: given } = value;
  return typeof given === "string" && given.trim() !== "" && !Number.isNaN(Number(given))
    ? literal(Number(given))
    : value;
}

function join(tests: Typed[], word: "and" | "or"): Typed {
  if (tests.length === 0) return literal(true);
  return tests.length === 1 ? tests[0]! : typed(tests.map(part).join(` ${word} `), "boolean");
}

/** The form of version 2: a list of conditions, each with its own operator. */
function newer(conditions: Record<string, unknown>, t: Translation): Typed {
  const ignoresCase = objectAt(conditions, "options").caseSensitive === false;
  const tests = listAt(conditions, "conditions").map(({ leftValue, rightValue, operator }) => {
    const { type, operation } = objectAt(operator);
    const kind = textAt(type, "any");
    const adapt = (value: Typed) =>
      kind === "number" ? asNumber(value) : kind === "string" && ignoresCase ? lower(value) : value;
    const left = adapt(t.expression(leftValue ?? ""));
    return write({ type: kind, operation: textAt(operation, ""), left, right: adapt(t.expression(rightValue ?? "")) });
  });
  return join(tests, conditions.combinator === "or" ? "or" : "and");
}

/** The form of version 1: lists of conditions grouped by the type of their values. */
function older(conditions: Record<string, unknown>, word: "and" | "or", t: Translation): Typed {
  const tests = Object.entries(conditions).flatMap(([type, list]) =>
    (Array.isArray(list) ? list.filter(isObject) : []).map(({ value1, value2, operation }) => {
      const adapt = type === "number" ? asNumber : (value: Typed) => value;
      const usual = type === "number" ? "smaller" : "equal";
      const [left, right] = [adapt(t.expression(value1 ?? "")), adapt(t.expression(value2 ?? ""))];
      return write({ type, operation: textAt(operation, usual), left, right });
    }),
  );
  return join(tests, word);
}

/** The conditions of an IF, a Filter or a rule of a Switch as one expression that gives true or false. */
export function conditionsOf(parameters: Record<string, unknown>, t: Translation): Typed {
  const conditions = objectAt(parameters, "conditions");
  if (Array.isArray(conditions.conditions)) return newer(conditions, t);
  return older(conditions, parameters.combineOperation === "any" ? "or" : "and", t);
}

/** One comparison of the Switch's older form. */
export const comparison = (type: string, operation: string, left: Typed, right: Typed): Typed =>
  write({
    type,
    operation,
    left: type === "number" ? asNumber(left) : left,
    right: type === "number" ? asNumber(right) : right,
  });
