import { referencesOf } from "../expressions/references.ts";
import type { ScopeName } from "../expressions/scope.ts";
import type { SyntaxNode } from "../expressions/syntax.ts";
import { expressionsOf } from "../expressions/template-uses.ts";
import type { Downstream } from "./downstream.ts";
import type { Faults } from "./faults.ts";
import type { GraphNode } from "./graph.ts";

/** A node and the maps and loops around it, the innermost first. */
function chainOf(node: GraphNode): GraphNode[] {
  const chain = [node];
  for (let at = node.parent; at; at = at.parent) chain.push(at);
  return chain;
}

/** The container that gives a name its value, in each item or round. */
const GIVEN_BY: Partial<Record<ScopeName, "map" | "loop">> = { item: "map", index: "map", loop: "loop" };

/**
 * Why a name never has a value in a step; undefined if it may have one. `chain` is the step, followed by the containers
 * around it.
 */
function whyNameless(name: ScopeName, chain: readonly GraphNode[]): string | undefined {
  const container = GIVEN_BY[name];
  if (!container) return undefined;
  const [node, ...around] = chain;
  // A loop sees its own rounds.
  const giving = container === "loop" && node?.type === container ? chain : around;
  return giving.some(({ type }) => type === container) ? undefined : `the step is inside no ${container}`;
}

/** Why a step never sees the output of another one; undefined if it may see it. */
function whyUnseen(other: GraphNode, chain: readonly GraphNode[], behind: Downstream): string | undefined {
  const [node] = chain;
  const { parent } = other;
  if (parent && !chain.some(({ id, body }) => body && id === parent.id))
    return `it is inside \`${parent.id}\`, and only steps in there see it`;
  if (other === node) return "it is the step itself";
  const level = chain.find(one => one.parent === parent);
  // Inside a map or loop, the name of that map or loop stands for its item or round.
  return level && level !== other && behind.has(level, other) ? "it runs after this step" : undefined;
}

/** Warns of names in the expressions of a step that never have a value there. */
export function warnOfUnseenNames(
  node: GraphNode,
  byId: ReadonlyMap<string, GraphNode>,
  behind: Downstream,
  faults: Faults,
): void {
  if (node.disabled) return;
  const chain = chainOf(node);
  for (const { root } of [node.template, ...Object.values(node.later ?? {})]) {
    for (const { expression, path } of expressionsOf(root)) {
      if (expression.secret) continue;
      const { roots, steps } = referencesOf(expression.jsonata.ast() as unknown as SyntaxNode);
      const warn = (name: string, why: string | undefined) => {
        if (why) faults.warn(node.id, ["nodes", node.index, "data"], `\`${name}\` has no value here: ${why}.`, path);
      };
      for (const name of roots) warn(name, whyNameless(name, chain));
      for (const id of steps) {
        const other = byId.get(id);
        if (other) warn(`steps.${id}`, whyUnseen(other, chain, behind));
      }
    }
  }
}
