import jsonata from "jsonata";
import { describeJsonataError } from "./expression-error.ts";
import { compileFast, type FastEvaluator } from "./fast-evaluator.ts";
import { chooseLane, type Lane } from "./lane.ts";
import { MAX_EXPRESSION_LENGTH, MAX_PARSE_WORK, MAX_SYNTAX_DEPTH, WORK_PER_EXPRESSION } from "./limits.ts";
import { parseCost } from "./parse-cost.ts";
import type { ScopeName } from "./scope.ts";
import { scopeNames } from "./scope-names.ts";
import { secretPath, type SecretPath } from "./secret-path.ts";
import { measureSyntax, type SyntaxNode } from "./syntax.ts";

/** A parsed expression, with everything that is known about running it. */
export interface ParsedExpression {
  source: string;
  lane: Lane;
  /** Evaluates synchronously, without JSONata; undefined if the expression needs JSONata. */
  fast: FastEvaluator | undefined;
  /** The names of the scope that the expression can read. */
  names: readonly ScopeName[];
  jsonata: jsonata.Expression;
  /** The credential field that the expression reads, if it reads one. */
  secret?: SecretPath;
}

/**
 * The work that parsing may still spend. Below zero, parsing stops. All expressions of a definition share one budget.
 */
export interface ParseBudget {
  left: number;
}

export const parseBudget = (): ParseBudget => ({ left: MAX_PARSE_WORK });

export type ParseResult = { expression: ParsedExpression } | { fault: string; position?: number | undefined };

/** Arrays count as levels in a syntax tree, so one level of the source can give up to three. */
const MAX_TREE_DEPTH = 3 * MAX_SYNTAX_DEPTH;
const EXHAUSTED = "The definition has too many expressions, or they are too long in total. Split the workflow";
const NESTED = "The expression is nested too deeply. Split it into several steps";
/** For larger trees, closures save too little compared with the cost of JSONata itself. */
const MAX_FAST_NODES = 1_000;

/** Parses JSONata of at most 10,000 characters. Never throws: every fault is a sentence that says what to do. */
export function parseExpression(source: string, budget = parseBudget()): ParseResult {
  if (source.trim() === "")
    return { fault: "There is no expression between {{ and }}. Write one, or remove the braces" };
  if (source.length > MAX_EXPRESSION_LENGTH) {
    return { fault: `The expression is longer than ${MAX_EXPRESSION_LENGTH} characters. Split it into several steps` };
  }
  const cost = parseCost(source);
  budget.left -= WORK_PER_EXPRESSION + (cost.nodes ?? 0);
  if (budget.left < 0) return { fault: EXHAUSTED };
  if (cost.fault !== undefined) return { fault: cost.fault };
  try {
    const parsed = jsonata(source);
    const root = parsed.ast() as unknown as SyntaxNode;
    const { nodes, depth } = measureSyntax(root, MAX_TREE_DEPTH);
    if (depth > MAX_TREE_DEPTH) return { fault: NESTED };
    const secret = secretPath(root);
    if (secret) {
      const fast: FastEvaluator = ({ secrets }) => secrets?.[secret.name]?.[secret.field];
      return { expression: { source, lane: "inline", fast, names: [], jsonata: parsed, secret } };
    }
    return {
      expression: {
        source,
        lane: chooseLane(root),
        fast: nodes <= MAX_FAST_NODES ? compileFast(root) : undefined,
        names: scopeNames(root),
        jsonata: parsed,
      },
    };
  } catch (error) {
    if (error instanceof RangeError) return { fault: NESTED };
    const { reason, place } = describeJsonataError(error);
    return { fault: `The expression is not valid: ${reason}`, position: place.position };
  }
}
