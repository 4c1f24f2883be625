import { type AnyNode, type Options, parseExpressionAt, tokenizer, tokTypes } from "acorn";
import { Untranslatable } from "./untranslatable.ts";

/** The part of JavaScript's expression syntax that can be translated. */
export type Js =
  | { kind: "literal"; value: string | number | boolean | null }
  | { kind: "template"; parts: (string | Js)[] }
  | { kind: "name"; name: string }
  | { kind: "member"; object: Js; name: string | number }
  | { kind: "call"; callee: Js; args: Js[]; isNew: boolean }
  | { kind: "unary"; op: string; value: Js }
  | { kind: "binary"; op: string; left: Js; right: Js }
  | { kind: "ternary"; test: Js; then: Js; other: Js }
  | { kind: "array"; items: Js[] }
  | { kind: "object"; entries: [string, Js][] };

const MAX_SOURCE = 10_000;
const MAX_DEPTH = 50;
export const TOO_DEEP = "an expression that is nested too deeply";
/** With `preserveParens`, the end of a node is after its parentheses. */
const OPTIONS: Options = { ecmaVersion: 2023, allowAwaitOutsideFunction: true, preserveParens: true };
const UNARY: ReadonlySet<string> = new Set(["!", "-"]);
const BINARY: ReadonlySet<string> = new Set("?? || && == != === !== < > <= >= + - * / %".split(" "));
/** The names of other syntax, for error messages. */
const REFUSED: Partial<Record<AnyNode["type"], string>> = {
  ArrowFunctionExpression: "`=>`",
  AssignmentExpression: "`=`",
  AwaitExpression: "`await`",
  ClassExpression: "`class`",
  FunctionExpression: "`function`",
  ImportExpression: "`import`",
  SequenceExpression: "more than one expression",
  SpreadElement: "`...`",
  ThisExpression: "`this`",
};

function keyOf(node: AnyNode): string {
  if (node.type !== "Property" || node.kind !== "init" || node.computed || node.shorthand || node.method)
    throw new Untranslatable("an object with other parts than keys and values");
  if (node.key.type === "Identifier") return node.key.name;
  if (node.key.type === "Literal" && typeof node.key.value === "string") return node.key.value;
  throw new Untranslatable("a key that is not a name or a text");
}

/** The name of a field, or its index in a list. If `computed` is true, `key` is written in brackets. */
function fieldOf(key: AnyNode, computed: boolean): string | number {
  const bare = key.type === "ParenthesizedExpression" ? key.expression : key;
  if (!computed && bare.type === "Identifier") return bare.name;
  if (computed && bare.type === "Literal" && (typeof bare.value === "string" || typeof bare.value === "number"))
    return bare.value;
  throw new Untranslatable("a field whose name is computed");
}

/**
 * The nodes on this allow-list as `Js`. Long chains of operators, fields and calls lean to the left. They are bounded by
 * the length of the source, and do not count as nested.
 */
function read(node: AnyNode, depth: number): Js {
  if (depth > MAX_DEPTH) throw new Untranslatable(TOO_DEEP);
  const inner = (child: AnyNode) => read(child, depth + 1);
  switch (node.type) {
    case "ParenthesizedExpression":
      return inner(node.expression);
    case "ChainExpression":
      return read(node.expression, depth);
    case "Literal": {
      const { value } = node;
      if (value === null ? node.raw === "null" : typeof value !== "object" && typeof value !== "bigint")
        return { kind: "literal", value: value as string | number | boolean | null };
      throw new Untranslatable(`\`${node.raw}\``);
    }
    case "TemplateLiteral": {
      const texts = node.quasis.map(({ value }) => value.cooked ?? "");
      const parts = texts.flatMap((text, i) => {
        const next = node.expressions[i];
        return [...(text === "" ? [] : [text]), ...(next ? [inner(next)] : [])];
      });
      return { kind: "template", parts };
    }
    case "Identifier":
      return { kind: "name", name: node.name };
    case "MemberExpression":
      return { kind: "member", object: read(node.object, depth), name: fieldOf(node.property, node.computed) };
    case "CallExpression":
      return { kind: "call", callee: read(node.callee, depth), args: node.arguments.map(inner), isNew: false };
    case "NewExpression":
      return { kind: "call", callee: inner(node.callee), args: node.arguments.map(inner), isNew: true };
    case "UnaryExpression":
      if (!UNARY.has(node.operator)) throw new Untranslatable(`\`${node.operator}\``);
      return { kind: "unary", op: node.operator, value: inner(node.argument) };
    case "LogicalExpression":
    case "BinaryExpression":
      if (!BINARY.has(node.operator)) throw new Untranslatable(`\`${node.operator}\``);
      return { kind: "binary", op: node.operator, left: read(node.left, depth), right: inner(node.right) };
    case "ConditionalExpression":
      return { kind: "ternary", test: inner(node.test), then: inner(node.consequent), other: inner(node.alternate) };
    case "ArrayExpression":
      return {
        kind: "array",
        items: node.elements.map(element => {
          if (element === null) throw new Untranslatable("a list with gaps");
          return inner(element);
        }),
      };
    case "ObjectExpression":
      return {
        kind: "object",
        entries: node.properties.map(entry => [keyOf(entry), inner((entry as { value: AnyNode }).value)]),
      };
    default:
      throw new Untranslatable(REFUSED[node.type] ?? `a JavaScript ${node.type}`);
  }
}

/**
 * Parses a JavaScript expression.
 * @throws {Untranslatable} when the text is not one expression, or has syntax that is not on the allow-list
 */
export function parseJs(source: string): Js {
  if (source.length > MAX_SOURCE) throw new Untranslatable(`an expression of more than ${MAX_SOURCE} characters`);
  try {
    const expression = parseExpressionAt(source, 0, OPTIONS) as AnyNode;
    const rest = tokenizer(source.slice(expression.end), OPTIONS).getToken();
    if (rest.type !== tokTypes.eof) throw new Untranslatable("more than one expression");
    return read(expression, 0);
  } catch (error) {
    if (error instanceof Untranslatable) throw error;
    // The parser and `read` recurse once per level of nesting. The parser reports a stack overflow only by its message.
    const { name, message } = error as Error;
    if (name === "RangeError" || message.includes("stack space")) throw new Untranslatable(TOO_DEEP);
    throw new Untranslatable(source.trim() === "" ? "an empty expression" : "an expression with a syntax error");
  }
}
