import { isReadName, READ_NAMES, type ScopeName } from "./scope.ts";
import { childrenOf, type SyntaxNode } from "./syntax.ts";

/** Syntax that can reach the whole scope, as its value or its context, without naming a part of it. */
const SEES_ALL = new Set(["wildcard", "descendant", "parent", "partial", "transform"]);
/** Functions that take missing arguments from the context, or evaluate text. */
const FROM_CONTEXT = new Set(["string", "boolean", "not", "keys", "lookup", "spread", "each", "sift", "clone", "eval"]);
const isNamed = (node: SyntaxNode, types: string) => node.type === types && typeof node.value === "string";

/**
 * The parts of the scope that an expression can read: the parts that it names, or all parts if it can reach the whole
 * scope (`$$`, `*`, `$eval` …). In doubt a part is included, because the result only decides how much is copied.
 */
export function scopeNames(root: SyntaxNode): readonly ScopeName[] {
  const names = new Set<ScopeName>();
  let all = false;
  const walk = (node: object) => {
    const known = node as SyntaxNode;
    if (SEES_ALL.has(known.type)) all = true;
    // A lambda's signature can take an argument from the context.
    if ("signature" in known && known.signature !== undefined) all = true;
    if (isNamed(known, "variable") && (known.value === "" || known.value === "$")) all = true;
    if (isNamed(known, "variable") && FROM_CONTEXT.has(known.value as string)) all = true;
    if (isNamed(known, "name") && isReadName(known.value)) names.add(known.value);
    for (const child of childrenOf(node)) {
      if (all) return;
      walk(child);
    }
  };
  walk(root);
  return all ? READ_NAMES : READ_NAMES.filter(name => names.has(name));
}
