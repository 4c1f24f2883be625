import { isReadName, type Scope } from "./scope.ts";
import { hasOnly, type SyntaxNode } from "./syntax.ts";
import { looksLikeFunction, UNDECIDED } from "./fast-values.ts";

interface Step {
  name: string;
  /** The indexes `[n]` after the name, in order. */
  indexes: readonly number[];
}

/**
 * The value of an own property as JSONata's lookup gives it. An array is undecided, because JSONata makes a sequence of
 * it.
 */
function field(container: unknown, name: string): unknown {
  if (typeof container !== "object" || container === null) return undefined;
  if (Array.isArray(container)) return UNDECIDED;
  if (!Object.hasOwn(container, name) || looksLikeFunction(container)) return undefined;
  return (container as Record<string, unknown>)[name];
}

function element(value: unknown, index: number): unknown {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return index === 0 || index === -1 ? value : undefined;
  const found: unknown = value.at(index);
  return Array.isArray(found) ? UNDECIDED : found;
}

function readStep(node: SyntaxNode): Step | undefined {
  if (node.type !== "name" || typeof node.value !== "string") return undefined;
  if (!hasOnly(node, ["type", "value", "position", "stages"])) return undefined;
  const indexes: number[] = [];
  for (const stage of node.stages ?? []) {
    const { expr } = stage;
    if (stage.type !== "filter" || expr?.type !== "number" || typeof expr.value !== "number") return undefined;
    if (!hasOnly(expr, ["type", "value", "position"])) return undefined;
    indexes.push(Math.floor(expr.value));
  }
  return { name: node.value, indexes };
}

/**
 * Compiles a path through plain objects, ``steps.`node-1`.items[0].name``, to a function that needs no JSONata. The
 * function reads own properties only, and is undecided if it would have to map over an array. Undefined for every other
 * kind of path.
 */
export function compilePath(node: SyntaxNode): ((scope: Scope) => unknown) | undefined {
  if (!hasOnly(node, ["type", "steps"]) || node.steps === undefined) return undefined;
  const steps: Step[] = [];
  for (const part of node.steps) {
    const step = readStep(part);
    if (step === undefined) return undefined;
    steps.push(step);
  }
  const [first, ...rest] = steps;
  if (first === undefined) return undefined;
  const { name, indexes } = first;
  if (!isReadName(name)) return () => undefined;

  return scope => {
    let value: unknown = scope[name];
    for (const index of indexes) value = element(value, index);
    for (const step of rest) {
      if (value === undefined || value === UNDECIDED) return value;
      value = field(value, step.name);
      for (const index of step.indexes) {
        if (value === UNDECIDED) return value;
        value = element(value, index);
      }
    }
    return value;
  };
}
