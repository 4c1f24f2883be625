import type { ParsedExpression } from "../expressions/parse.ts";
import { referencesOf } from "../expressions/references.ts";
import { SCOPE_NAMES } from "../expressions/scope.ts";
import type { SyntaxNode } from "../expressions/syntax.ts";
import type { TemplateNode } from "../expressions/template.ts";
import { didYouMean } from "../nearest.ts";
import type { Faults } from "./faults.ts";

function* expressionsOf(node: TemplateNode): Generator<{ expression: ParsedExpression; path: string }> {
  switch (node.kind) {
    case "value":
      yield node;
      break;
    case "text":
      for (const expression of node.parts) if (typeof expression !== "string") yield { expression, path: node.path };
      break;
    case "array":
      for (const item of node.items) yield* expressionsOf(item);
      break;
    case "object":
      for (const [, value] of node.entries) yield* expressionsOf(value);
  }
}

/** Names in the expressions of a template that stand for nothing, so that they would give nothing each time. */
export function checkReferences(
  nodeId: string | null,
  at: PropertyKey[],
  root: TemplateNode,
  nodeIds: ReadonlySet<string>,
  faults: Faults,
): void {
  for (const { expression, path } of expressionsOf(root)) {
    if (faults.areEnough) return;
    const { unknownRoots, steps, unknownVariables } = referencesOf(expression.jsonata.ast() as unknown as SyntaxNode);
    for (const name of unknownRoots) {
      const message = `There is no "${name}" for an expression to begin with.${didYouMean(name, SCOPE_NAMES)} It begins with ${SCOPE_NAMES.join(", ")}.`;
      faults.addAt(nodeId, at, path, message);
    }
    for (const id of steps.filter(step => !nodeIds.has(step))) {
      faults.addAt(
        nodeId,
        at,
        path,
        `There is no node "${id}" whose output steps.${id} would be.${didYouMean(id, nodeIds)}`,
      );
    }
    for (const name of unknownVariables) {
      const message = `Nothing is called $${name}: use input for what the run was given, steps.<id> for what a step gave, or a function of JSONata.`;
      faults.addAt(nodeId, at, path, message);
    }
  }
}
