import { FUNCTIONS } from "./functions.ts";
import { isScopeName, type ScopeName } from "./scope.ts";
import { childrenOf, type SyntaxNode } from "./syntax.ts";

/** What an expression refers to: names in the scope, steps by id, and variables that the expression does not bind. */
export interface References {
  roots: ScopeName[];
  unknownRoots: string[];
  steps: string[];
  /**
   * The steps that `$resumeUrl` names, as far as they are known before a run. An empty text stands for a call that
   * names none.
   */
  resumed: string[];
  /** The names of the options that `$csv` gets, as far as they are known before a run. */
  csvOptions: string[];
  /** The variables of the space, named as `vars.<name>`. */
  vars: string[];
  unknownVariables: string[];
}

/**
 * Where names are looked up: in the scope, in the outputs by node id, in the variables of the space, or in an unknown
 * value.
 */
type Context = "scope" | "steps" | "vars" | "value";

/** A syntax node with the parts that JSONata's typings omit. */
interface Syntax extends Omit<SyntaxNode, "lhs" | "rhs" | "arguments"> {
  lhs?: Syntax | [Syntax, Syntax][];
  rhs?: Syntax;
  arguments?: Syntax[];
  body?: Syntax;
  focus?: string;
  index?: string;
  group?: Syntax;
  terms?: { expression: Syntax }[];
}

function boundIn(root: object, bound = new Set<string>()): Set<string> {
  const { type, lhs, focus, index, arguments: parameters, value } = root as Syntax;
  const names = [
    focus,
    index,
    type === "index" ? value : undefined,
    type === "bind" && !Array.isArray(lhs) ? lhs?.value : undefined,
    ...(type === "lambda" ? (parameters ?? []).map(parameter => parameter.value) : []),
  ];
  for (const name of names) if (typeof name === "string") bound.add(name);
  for (const child of childrenOf(root)) boundIn(child, bound);
  return bound;
}

class Walk {
  readonly roots = new Set<ScopeName>();
  readonly unknownRoots = new Set<string>();
  readonly resumed = new Set<string>();
  readonly csvOptions = new Set<string>();
  readonly steps = new Set<string>();
  readonly vars = new Set<string>();
  readonly variables = new Set<string>();
  readonly #bound: Set<string>;
  /** The calls whose first argument comes from the left side of `~>`. */
  readonly #piped = new Set<SyntaxNode>();

  constructor(root: Syntax) {
    this.#bound = boundIn(root);
    this.visit(root, "scope");
  }

  /** Visits a node in the context in which it is evaluated. Returns the context for the names that follow it. */
  visit(node: Syntax, context: Context): Context {
    const result = this.#own(node, context);
    const inside = [...(node.predicate ?? []), ...(node.stages ?? [])] as Syntax[];
    for (const { expr } of inside) if (expr) this.visit(expr, "value");
    if (node.group) this.#pairs(node.group, "value");
    const isPlain = inside.length === 0 && !node.group && node.focus === undefined && node.index === undefined;
    return isPlain ? result : "value";
  }

  #own(node: Syntax, context: Context): Context {
    switch (node.type) {
      case "path":
        return (node.steps ?? []).reduce((at: Context, step) => this.visit(step as Syntax, at), context);
      case "name":
        return this.#name(String(node.value), context);
      case "variable":
        return this.#variable(String(node.value), context);
      case "block":
        return this.#all(node.expressions, context);
      case "bind":
        if (node.rhs) this.visit(node.rhs, context);
        return "value";
      case "lambda":
        if (node.body) this.visit(node.body, context);
        return "value";
      case "sort":
        for (const { expression } of node.terms ?? []) this.visit(expression, "value");
        return "value";
      case "unary":
        if (Array.isArray(node.lhs)) this.#pairs(node, context);
        this.#all([...(node.expressions ?? []), ...(node.expression ? [node.expression] : [])], context);
        return "value";
      case "binary":
      case "apply":
      case "condition":
      case "function":
      case "partial": {
        const { lhs, rhs, condition, then, else: other, procedure, arguments: given = [] } = node;
        if (node.type === "apply" && rhs) this.#piped.add(rhs);
        if (procedure?.value === "resumeUrl") this.#resume(node, given[0]);
        if (procedure?.value === "csv") this.#csv(given[this.#piped.has(node) ? 0 : 1]);
        const parts = [Array.isArray(lhs) ? undefined : lhs, rhs, condition, then, other, procedure, ...given];
        this.#all(parts, context);
        return "value";
      }
      default:
        // Transforms and unknown nodes may look names up in any value. Variables mean the same everywhere.
        for (const child of childrenOf(node)) this.visit(child as Syntax, "value");
        return "value";
    }
  }

  #all(nodes: readonly (SyntaxNode | undefined)[] = [], context: Context): Context {
    let last: Context = "value";
    for (const node of nodes) if (node) last = this.visit(node, context);
    return last;
  }

  /** Notes the step that a call of `$resumeUrl` names. The value of an expression is known only in a run. */
  #resume(call: Syntax, id: SyntaxNode | undefined): void {
    if (this.#piped.has(call)) return;
    if (id?.type === "string") this.resumed.add(String(id.value));
    else if (id === undefined || id.type === "number") this.resumed.add("");
  }

  /** Notes the options of a call of `$csv`. */
  #csv({ type, lhs }: Partial<Syntax> = {}): void {
    if (type !== "unary" || !Array.isArray(lhs)) return;
    for (const [key] of lhs) if (key.type === "string") this.csvOptions.add(String(key.value));
  }

  #pairs({ lhs }: Syntax, context: Context): void {
    for (const pair of Array.isArray(lhs) ? lhs : []) this.#all(pair, context);
  }

  #name(name: string, context: Context): Context {
    if (context === "steps") this.steps.add(name);
    if (context === "vars") this.vars.add(name);
    if (context !== "scope") return "value";
    if (isScopeName(name)) this.roots.add(name);
    else this.unknownRoots.add(name);
    return name === "steps" || name === "vars" ? name : "value";
  }

  #variable(name: string, context: Context): Context {
    if (name === "") return context;
    if (name === "$") return "scope";
    if (!this.#bound.has(name) && !FUNCTIONS.has(name)) this.variables.add(name);
    return "value";
  }
}

/**
 * What a parsed expression refers to, as far as this is known without evaluating it. It never reports a name that the
 * expression does not refer to.
 */
export function referencesOf(root: SyntaxNode): References {
  const { roots, unknownRoots, steps, resumed, csvOptions, vars, variables } = new Walk(root);
  return {
    ...{ roots: [...roots], unknownRoots: [...unknownRoots], steps: [...steps], resumed: [...resumed] },
    ...{ csvOptions: [...csvOptions], vars: [...vars], unknownVariables: [...variables] },
  };
}
