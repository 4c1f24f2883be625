import { ExpressionError, tooLarge } from "../../core/expressions/expression-error.ts";
import type { ParsedExpression } from "../../core/expressions/parse.ts";
import { type LengthBudget, plainJson, textOf } from "../../core/expressions/plain-json.ts";
import type { TemplateNode } from "../../core/expressions/template-node.ts";

export interface Resolution {
  /** Returns a value, or a promise of one. */
  evaluate: (expression: ParsedExpression) => unknown;
  budget: LengthBudget;
}

/** Calls `go` immediately with a plain value, or later with the value of a promise. */
function then(value: unknown, go: (value: unknown) => unknown): unknown {
  return value instanceof Promise ? value.then(go) : go(value);
}

/** Adds the path in the data to errors. */
function located(path: string, act: () => unknown): unknown {
  const fail = (error: unknown): never => {
    throw error instanceof ExpressionError && error.path === "" ? error.at(path) : error;
  };
  try {
    const value = act();
    return value instanceof Promise ? value.catch(fail) : value;
  } catch (error) {
    return fail(error);
  }
}

/**
 * Handles the items one after another, so that a template never holds more than one process. Stays synchronous until an
 * item returns a promise.
 */
function each<T>(items: readonly T[], take: (item: T) => unknown, keep: (item: T, value: unknown) => void): unknown {
  const from = (start: number): unknown => {
    for (let i = start; i < items.length; i++) {
      const item = items[i] as T;
      const value = take(item);
      if (value instanceof Promise) {
        return value.then(found => {
          keep(item, found);
          return from(i + 1);
        });
      }
      keep(item, value);
    }
    return undefined;
  };
  return from(0);
}

/** Sets a field with any name. An assignment to `__proto__` would set the prototype instead. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Resolves a node. `level` is its depth in the result. */
export function resolveTemplate(node: TemplateNode, resolution: Resolution, level = 0): unknown {
  const { budget } = resolution;
  switch (node.kind) {
    case "constant":
      return node.value;
    case "value":
      return located(node.path, () =>
        then(resolution.evaluate(node.expression), value => plainJson(value, budget, level) ?? null),
      );
    case "text":
      return located(node.path, () => {
        let text = "";
        const add = (part: unknown) => {
          text += textOf(part);
          if (text.length > budget.left) throw tooLarge();
        };
        const done = each(
          node.parts,
          part =>
            typeof part === "string"
              ? part
              : then(resolution.evaluate(part), value => plainJson(value, { left: budget.left })),
          (_, value) => add(value),
        );
        return then(done, () => {
          budget.left -= text.length;
          return text;
        });
      });
    case "array": {
      const result: unknown[] = [];
      const done = each(
        node.items,
        item => resolveTemplate(item, resolution, level + 1),
        (_, value) => void result.push(value),
      );
      return then(done, () => result);
    }
    case "object": {
      const result: Record<string, unknown> = {};
      const done = each(
        node.entries,
        ([, child]) => resolveTemplate(child, resolution, level + 1),
        ([key], value) => setOwn(result, key, value),
      );
      return then(done, () => result);
    }
  }
}
