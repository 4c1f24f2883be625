import { compilePath } from "./fast-path.ts";
import { BINARY, looksLikeFunction, truth, UNDECIDED } from "./fast-values.ts";
import type { Scope } from "./scope.ts";
import { hasOnly, type SyntaxNode } from "./syntax.ts";

export { UNDECIDED } from "./fast-values.ts";

/**
 * Returns the expression's value, or UNDECIDED if only JSONata can evaluate it. Throws nothing and has no side effects.
 */
export type FastEvaluator = (scope: Scope) => unknown;

type Compile = (node: SyntaxNode) => FastEvaluator | undefined;

const LITERAL_PARTS = ["type", "value", "position"];
/** Keys that JSONata reserves, and the key that would set a prototype. */
const RESERVED_KEYS = ["__proto__", "_jsonata_lambda", "_jsonata_function"];

const literal: Compile = node => {
  const { value } = node;
  return hasOnly(node, LITERAL_PARTS) ? () => value : undefined;
};

const binary: Compile = node => {
  if (!hasOnly(node, [...LITERAL_PARTS, "lhs", "rhs"]) || Array.isArray(node.lhs) || !node.lhs || !node.rhs) {
    return undefined;
  }
  const left = compileNode(node.lhs);
  const right = compileNode(node.rhs);
  if (!left || !right) return undefined;
  if (node.value === "and" || node.value === "or") {
    const decided = node.value === "or";
    return scope => {
      const a = left(scope);
      const first = a === UNDECIDED ? a : truth(a);
      if (first === UNDECIDED || first === decided) return first;
      const b = right(scope);
      return b === UNDECIDED ? b : truth(b);
    };
  }
  const apply = BINARY.get(node.value);
  if (!apply) return undefined;
  return scope => {
    const a = left(scope);
    if (a === UNDECIDED) return a;
    const b = right(scope);
    return b === UNDECIDED ? b : apply(a, b);
  };
};

const condition: Compile = node => {
  if (!hasOnly(node, ["type", "position", "condition", "then", "else"]) || !node.condition || !node.then) {
    return undefined;
  }
  const test = compileNode(node.condition);
  const yes = compileNode(node.then);
  const no = node.else === undefined ? () => undefined : compileNode(node.else);
  if (!test || !yes || !no) return undefined;
  return scope => {
    const value = test(scope);
    const holds = value === UNDECIDED ? value : truth(value);
    if (holds === UNDECIDED) return UNDECIDED;
    return holds ? yes(scope) : no(scope);
  };
};

/** `$exists(x)`. JSONata also expresses `x ?? y` with it. */
const exists: Compile = node => {
  if (!hasOnly(node, [...LITERAL_PARTS, "name", "arguments", "procedure"])) return undefined;
  const { procedure, arguments: given = [] } = node;
  if (procedure?.type !== "variable" || procedure.value !== "exists" || !hasOnly(procedure, LITERAL_PARTS)) {
    return undefined;
  }
  const argument = given.length === 1 && given[0] ? compileNode(given[0]) : undefined;
  if (!argument) return undefined;
  return scope => {
    const value = argument(scope);
    // JSONata wraps a function before it passes it on, so this case is left to JSONata.
    if (typeof value === "object" && value !== null && looksLikeFunction(value)) return UNDECIDED;
    return value === UNDECIDED ? value : value !== undefined;
  };
};

const arrayOf: Compile = node => {
  const items: { evaluate: FastEvaluator; nested: boolean }[] = [];
  for (const item of node.expressions ?? []) {
    const evaluate = compileNode(item);
    if (!evaluate) return undefined;
    items.push({ evaluate, nested: item.type === "unary" && item.value === "[" });
  }
  return scope => {
    const result: unknown[] = [];
    for (const { evaluate, nested } of items) {
      const value = evaluate(scope);
      if (value === UNDECIDED) return value;
      if (value === undefined) continue;
      if (Array.isArray(value) && !nested) for (const inner of value) result.push(inner);
      else result.push(value);
    }
    return result;
  };
};

const objectOf: Compile = node => {
  if (!Array.isArray(node.lhs)) return undefined;
  const entries: [string, FastEvaluator][] = [];
  for (const [key, value] of node.lhs) {
    const evaluate = compileNode(value);
    if (!evaluate || key.type !== "string" || typeof key.value !== "string" || !hasOnly(key, LITERAL_PARTS)) {
      return undefined;
    }
    if (RESERVED_KEYS.includes(key.value) || entries.some(([name]) => name === key.value)) return undefined;
    entries.push([key.value, evaluate]);
  }
  return scope => {
    const result: Record<string, unknown> = {};
    for (const [key, evaluate] of entries) {
      const value = evaluate(scope);
      if (value === UNDECIDED) return value;
      if (value !== undefined) result[key] = value;
    }
    return result;
  };
};

const negative: Compile = node => {
  const operand = node.expression && compileNode(node.expression);
  if (!operand) return undefined;
  return scope => {
    const value = operand(scope);
    if (value === undefined) return undefined;
    return typeof value === "number" && Number.isFinite(value) ? -value : UNDECIDED;
  };
};

const UNARY = new Map<unknown, { part: string; compile: Compile }>([
  ["-", { part: "expression", compile: negative }],
  ["[", { part: "expressions", compile: arrayOf }],
  ["{", { part: "lhs", compile: objectOf }],
]);

const unary: Compile = node => {
  const known = UNARY.get(node.value);
  return known && hasOnly(node, [...LITERAL_PARTS, known.part]) ? known.compile(node) : undefined;
};

/** `( x )`. A block of several parts may bind variables, so it is left to JSONata. */
const block: Compile = node => {
  const [only, ...more] = node.expressions ?? [];
  return only && more.length === 0 && hasOnly(node, ["type", "position", "expressions"])
    ? compileNode(only)
    : undefined;
};

const COMPILERS = new Map<string, Compile>([
  ["string", literal],
  ["number", literal],
  ["value", literal],
  ["path", compilePath],
  ["binary", binary],
  ["unary", unary],
  ["condition", condition],
  ["function", exists],
  ["block", block],
]);

const compileNode: Compile = node => COMPILERS.get(node.type)?.(node);

/**
 * Compiles the simple part of JSONata (paths through objects, operators, conditions, constructors) to closures that run
 * synchronously. A value that they return is the value that JSONata would return. Undefined if the expression has any
 * other part.
 */
export const compileFast: Compile = node => compileNode(node);
