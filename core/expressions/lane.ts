import { childrenOf, type SyntaxNode } from "./syntax.ts";

/**
 * Where JSONata runs an expression: `inline` on the event loop under a budget of steps, or in a `process` that can be
 * ended. Only constructs that are listed here run inline. The budget is checked between steps, so constructs are
 * excluded if they can take long within one step (regular expressions, ranges, padding, searches for long texts, `*`
 * and `$spread`, which copy what they have for each item). Others are excluded because they call back (lambdas), or
 * write to their input: transforms, grouping an empty array, and `[]`, which marks the array itself.
 */
export type Lane = "inline" | "process";

const MAX_INLINE_NODES = 150;

const COMMON = ["type", "value", "position"];
const PARTS = new Map<string, readonly string[]>([
  ["string", COMMON],
  ["number", COMMON],
  ["value", COMMON],
  ["variable", [...COMMON, "stages", "predicate"]],
  ["name", [...COMMON, "stages"]],
  ["path", ["type", "steps"]],
  ["filter", ["type", "expr", "position"]],
  ["binary", [...COMMON, "lhs", "rhs", "stages", "predicate"]],
  ["unary", [...COMMON, "expression", "expressions", "lhs", "stages", "predicate", "consarray"]],
  ["condition", ["type", "position", "condition", "then", "else", "stages", "predicate"]],
  ["block", ["type", "position", "expressions", "stages", "predicate", "consarray"]],
  ["apply", [...COMMON, "lhs", "rhs", "keepArray"]],
  ["function", [...COMMON, "name", "arguments", "procedure", "stages", "predicate"]],
]);

/** Functions whose work is linear in their input, and whose output is no larger than their input. */
const FUNCTIONS = new Set(
  (
    "sum count max min average string substring lowercase uppercase length trim number floor ceil round abs sqrt power " +
    "random boolean not keys lookup append exists merge reverse type error assert now millis fromMillis " +
    "encodeUrlComponent decodeUrlComponent encodeUrl decodeUrl base64encode base64decode hash hmac uuid jwtDecode " +
    "resumeUrl url formatDate parseDate addTime"
  ).split(" "),
);

/** The most arguments of functions that build regular expressions from a further one, the picture. */
const WITHOUT_PICTURE = new Map([
  ["now", 0],
  ["fromMillis", 1],
]);

/** Functions that search a text for another one. At worst, this takes the product of both lengths. */
const SEARCHES = new Set(["contains", "substringBefore", "substringAfter", "split"]);
const MAX_WANTED = 32;
const isShort = ({ type, value }: SyntaxNode) =>
  type === "number" || (type === "string" && String(value).length <= MAX_WANTED);

/** `isPiped` where `~>` gives the call its first argument. Else an only argument is the wanted text. */
function isQuickCall({ procedure, arguments: given = [] }: SyntaxNode, isPiped: boolean): boolean {
  const is = (names: (name: string) => boolean) => isVariable(procedure, names);
  if (is(name => SEARCHES.has(name))) return given.slice(isPiped || given.length === 1 ? 0 : 1).every(isShort);
  return is(name => FUNCTIONS.has(name) && given.length + Number(isPiped) <= (WITHOUT_PICTURE.get(name) ?? Infinity));
}

const isVariable = (node: unknown, names: (name: string) => boolean) => {
  const { type, value } = (node ?? {}) as { type?: unknown; value?: unknown };
  return type === "variable" && typeof value === "string" && names(value);
};

function isCheap(node: SyntaxNode): boolean {
  const parts = PARTS.get(node.type);
  if (!parts) return false;
  if (!Object.entries(node).every(([part, value]) => parts.includes(part) || value === undefined)) return false;
  if (node.type === "variable") return isVariable(node, name => name === "" || name === "$");
  if (node.type === "function") return isQuickCall(node, false);
  if (node.type === "apply") {
    const { rhs, keepArray } = node as SyntaxNode & { keepArray?: boolean };
    return rhs?.type === "function" && isQuickCall(rhs, true) && keepArray !== true;
  }
  return node.type !== "binary" || node.value !== "..";
}

export function chooseLane(root: SyntaxNode): Lane {
  let nodes = 0;
  const cheap = (node: object): boolean => {
    const known = node as SyntaxNode;
    if ("type" in node && (++nodes > MAX_INLINE_NODES || !isCheap(known))) return false;
    // The procedure was checked together with its call.
    return childrenOf(node).every(child => (known.type === "function" && child === known.procedure) || cheap(child));
  };
  return cheap(root) ? "inline" : "process";
}
