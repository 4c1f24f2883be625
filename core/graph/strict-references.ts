import { CSV_OPTIONS } from "../expressions/csv.ts";
import { referencesOf } from "../expressions/references.ts";
import { SCOPE_NAMES } from "../expressions/scope.ts";
import type { SyntaxNode } from "../expressions/syntax.ts";
import type { TemplateNode } from "../expressions/template-node.ts";
import { expressionsOf } from "../expressions/template-uses.ts";
import { SECRETS } from "../expressions/secret-path.ts";
import { didYouMean } from "../nearest.ts";
import type { Faults } from "./faults.ts";

/** The names that expressions may refer to. Without `vars`, the variables of the space are unknown. */
export interface Known {
  nodeIds: ReadonlySet<string>;
  /** The steps whose address ends a wait. Without them, the types of the steps are unknown. */
  resumable?: ReadonlySet<string> | undefined;
  vars?: ReadonlySet<string> | undefined;
  /** Further names that are known here. */
  more?: readonly string[];
}

/** Why no address can end a wait of the step; undefined if one can. */
function resumeFault(id: string, nodeIds: ReadonlySet<string>, resumable = nodeIds): string | undefined {
  if (id === "") return "`$resumeUrl` needs the id of a `wait` step, as in `$resumeUrl('paid')`.";
  if (!nodeIds.has(id)) return `\`$resumeUrl\` names \`${id}\`, a node that does not exist.${didYouMean(id, nodeIds)}`;
  return resumable.has(id) ? undefined : `\`$resumeUrl\` names \`${id}\`, which is not a \`wait\` step.`;
}

/** Reports names in the expressions of a template that refer to nothing. They would never have a value. */
export function checkReferences(
  nodeId: string | null,
  at: PropertyKey[],
  root: TemplateNode,
  { nodeIds, resumable, vars, more = [] }: Known,
  faults: Faults,
): void {
  for (const { expression, path } of expressionsOf(root)) {
    if (faults.areEnough) return;
    if (expression.secret) continue;
    const {
      unknownRoots,
      steps,
      resumed,
      csvOptions,
      vars: named,
      unknownVariables,
    } = referencesOf(expression.jsonata.ast() as unknown as SyntaxNode);
    // Wrong forms of `secrets` are reported for every definition: see `checkSecrets`.
    for (const name of unknownRoots.filter(root => root !== SECRETS && !more.includes(root))) {
      const names = [...SCOPE_NAMES, ...more];
      const message = () =>
        `Unknown name \`${name}\`.${didYouMean(name, names)} An expression starts with one of ${names.join(", ")}.`;
      faults.addAt(nodeId, at, path, message);
    }
    for (const id of steps.filter(step => !nodeIds.has(step))) {
      const message = () => `\`steps.${id}\` refers to a node that does not exist.${didYouMean(id, nodeIds)}`;
      faults.addAt(nodeId, at, path, message);
    }
    for (const id of resumed) {
      if (faults.areEnough) return;
      const message = resumeFault(id, nodeIds, resumable);
      if (message !== undefined) faults.addAt(nodeId, at, path, message);
    }
    for (const name of csvOptions.filter(option => !CSV_OPTIONS.includes(option))) {
      const message = () =>
        `Unknown option \`${name}\` of \`$csv\`.${didYouMean(name, CSV_OPTIONS)} Known options: ${CSV_OPTIONS.join(", ")}.`;
      faults.addAt(nodeId, at, path, message);
    }
    for (const name of vars ? named.filter(each => !vars.has(each)) : []) {
      const message = () => `The space has no variable \`${name}\`.${didYouMean(name, vars ?? [])}`;
      faults.addAt(nodeId, at, path, message, "unknown_variable");
    }
    for (const name of unknownVariables) {
      const message = `Unknown variable \`$${name}\`. Use \`input\` for the input of the run, \`steps.<id>\` for the output of a step, or a JSONata function.`;
      faults.addAt(nodeId, at, path, message);
    }
  }
}
