/**
 * A node of JSONata's processed syntax tree, with the parts that this code reads. JSONata's own typings omit half of
 * them.
 */
export interface SyntaxNode {
  type: string;
  value?: unknown;
  position?: number;
  steps?: SyntaxNode[];
  stages?: SyntaxNode[];
  predicate?: SyntaxNode[];
  expr?: SyntaxNode;
  expressions?: SyntaxNode[];
  expression?: SyntaxNode;
  arguments?: SyntaxNode[];
  procedure?: SyntaxNode;
  condition?: SyntaxNode;
  then?: SyntaxNode;
  else?: SyntaxNode;
  lhs?: SyntaxNode | [SyntaxNode, SyntaxNode][];
  rhs?: SyntaxNode;
}

/** Whether the node has only these parts. An unknown part may change what the node means. */
export const hasOnly = (node: object, parts: readonly string[]) => Object.keys(node).every(key => parts.includes(key));

/** Every object directly below a node, under any key. */
export function childrenOf(node: object): object[] {
  const found: object[] = [];
  for (const part of Object.values(node) as unknown[]) {
    if (typeof part === "object" && part !== null && !(part instanceof RegExp)) found.push(part);
  }
  return found;
}

/** The number of nodes and the levels of nesting (arrays count as levels). Stops counting levels past `maxDepth`. */
export function measureSyntax(root: object, maxDepth: number): { nodes: number; depth: number } {
  let nodes = 0;
  let depth = 0;
  const walk = (node: object, level: number) => {
    if (level > depth) depth = level;
    if (level > maxDepth) return;
    if ("type" in node) nodes++;
    for (const child of childrenOf(node)) walk(child, level + 1);
  };
  walk(root, 1);
  return { nodes, depth };
}
