import type { ParsedExpression } from "./parse.ts";
import { referencesOf } from "./references.ts";
import { SECRETS, type SecretPath } from "./secret-path.ts";
import type { SyntaxNode } from "./syntax.ts";
import type { TemplateNode } from "./template-node.ts";

/** What a template reads from outside the run. Paths are JSON Pointers into the template's data. */
export interface TemplateUses {
  secrets: readonly (SecretPath & { path: string })[];
  /** The paths of expressions that use `secrets` in any other form than `secrets.<name>.<field>`. */
  misusedSecrets: readonly string[];
  /** The variables that expressions name as `vars.<name>`. */
  vars: readonly { name: string; path: string }[];
  /** Whether any expression may read variables, including forms such as `$lookup(vars, …)`. */
  readsVars: boolean;
}

/** Every expression of a template, with its path. */
export function* expressionsOf(node: TemplateNode): Generator<{ expression: ParsedExpression; path: string }> {
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

/** What a template reads from outside the run; undefined if it reads nothing. */
export function templateUses(root: TemplateNode): TemplateUses | undefined {
  const secrets: (SecretPath & { path: string })[] = [];
  const misusedSecrets: string[] = [];
  const vars: { name: string; path: string }[] = [];
  let readsVars = false;
  for (const { expression, path } of expressionsOf(root)) {
    const { secret, source, names } = expression;
    if (secret) secrets.push({ ...secret, path });
    // An expression that does not name `vars` sees no variables in the whole scope, so that not every use of `$$` loads
    // them.
    const reads = names.includes("vars") && source.includes("vars");
    readsVars ||= reads;
    if (secret || !(reads || source.includes(SECRETS))) continue;
    const found = referencesOf(expression.jsonata.ast() as unknown as SyntaxNode);
    if (found.unknownRoots.includes(SECRETS)) misusedSecrets.push(path);
    vars.push(...found.vars.map(name => ({ name, path })));
  }
  if (!readsVars && secrets.length === 0 && misusedSecrets.length === 0) return undefined;
  return { secrets, misusedSecrets, vars, readsVars };
}
