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

/** Reports names in the expressions of a template that refer to nothing, so that they would never give a value. */
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
      const message = `Unknown name \`${name}\`.${didYouMean(name, SCOPE_NAMES)} An expression starts with one of ${SCOPE_NAMES.join(", ")}.`;
      faults.addAt(nodeId, at, path, message);
    }
    for (const id of steps.filter(step => !nodeIds.has(step))) {
      faults.addAt(nodeId, at, path, `\`steps.${id}\` refers to a node that does not exist.${didYouMean(id, nodeIds)}`);
    }
    for (const name of unknownVariables) {
      const message = `Unknown variable \`$${name}\`. Use \`input\` for the input of the run, \`steps.<id>\` for the output of a step, or a JSONata function.`;
      faults.addAt(nodeId, at, path, message);
    }
  }
}
