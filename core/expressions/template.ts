import { pointerToken } from "../../contracts/json-pointer.ts";
import type { FaultPlace } from "./expression-error.ts";
import { MAX_EXPRESSIONS, MAX_JSON_DEPTH } from "./limits.ts";
import { parseBudget, parseExpression, type ParseBudget, type ParsedExpression } from "./parse.ts";
import type { TemplateNode } from "./template-node.ts";
import { templateUses, type TemplateUses } from "./template-uses.ts";
import { splitSegments } from "./segments.ts";

/** A fault of one string. `path` is a JSON Pointer into the data, such as `/headers/0/value`. */
export interface TemplateFault {
  path: string;
  message: string;
  /** The place in the string. */
  place?: FaultPlace | undefined;
}

export interface Template {
  root: TemplateNode;
  /** Empty if every expression could be parsed. A template with faults cannot be resolved. */
  faults: readonly TemplateFault[];
  /** What it reads from outside the run. Undefined if it reads nothing. */
  uses?: TemplateUses | undefined;
}

interface Compiler {
  faults: TemplateFault[];
  expressions: number;
  budget: ParseBudget;
}

/**
 * Longer keys are shortened in paths. A key may be as long as the definition, and is part of the path of every
 * expression below it.
 */
const MAX_KEY_SHOWN = 100;

/** Extends the parent's path. JavaScript keeps one copy of the parent's text, however many paths share it. */
function below(path: string, key: string): string {
  const shown = key.length > MAX_KEY_SHOWN ? `${key.slice(0, MAX_KEY_SHOWN)}…` : key;
  return `${path}/${pointerToken(shown)}`;
}

function compileString(text: string, path: string, compiler: Compiler): TemplateNode {
  const constant: TemplateNode = { kind: "constant", value: text };
  // The fault was reported when the budget ran out.
  if (!text.includes("{{") || compiler.budget.left < 0) return constant;
  const fault = (message: string, place?: FaultPlace) => {
    compiler.faults.push({ path, message, place });
    return constant;
  };
  const segments = splitSegments(text);
  if (!segments)
    return fault('An expression opened with {{ is never closed: add }}, or write {{ "{{" }} for the braces');

  const parts: (string | ParsedExpression)[] = [];
  for (const segment of segments) {
    if (segment.kind === "text") {
      parts.push(segment.text);
      continue;
    }
    if (++compiler.expressions > MAX_EXPRESSIONS) {
      // Reported once, because every further string would repeat it.
      return compiler.expressions === MAX_EXPRESSIONS + 1
        ? fault(`The step has more than ${MAX_EXPRESSIONS} expressions. Split it into several steps`)
        : constant;
    }
    const parsed = parseExpression(segment.source, compiler.budget);
    if ("fault" in parsed) return fault(parsed.fault, { source: segment.source, position: parsed.position });
    parts.push(parsed.expression);
  }
  const [only, ...more] = parts;
  return typeof only === "object" && more.length === 0
    ? { kind: "value", expression: only, path }
    : { kind: "text", parts, path };
}

function compileNode(data: unknown, path: string, level: number, compiler: Compiler): TemplateNode {
  if (typeof data === "string") return compileString(data, path, compiler);
  const constant: TemplateNode = { kind: "constant", value: data };
  if (typeof data !== "object" || data === null) return constant;
  if (level >= MAX_JSON_DEPTH) {
    compiler.faults.push({
      path,
      message: `The data is nested deeper than ${MAX_JSON_DEPTH} levels. Flatten it`,
    });
    return constant;
  }
  if (Array.isArray(data)) {
    const items = data.map((item, index) => compileNode(item, below(path, String(index)), level + 1, compiler));
    return items.every(item => item.kind === "constant") ? constant : { kind: "array", items };
  }
  const entries = Object.entries(data).map(
    ([key, value]) => [key, compileNode(value, below(path, key), level + 1, compiler)] as const,
  );
  return entries.every(([, node]) => node.kind === "constant") ? constant : { kind: "object", entries };
}

/**
 * Parses every `{{ expression }}` in a JSON value (keys are kept as they are). A string that consists of one expression
 * stands for the value of the expression. In a longer string, the text of the value is inserted. Compile once, resolve
 * often. Resolving returns parts without expressions by reference. The templates of one definition share a budget; the
 * template that exhausts it has a fault that says so.
 */
export function compileTemplates(data: unknown, budget = parseBudget()): Template {
  const compiler: Compiler = { faults: [], expressions: 0, budget };
  const root = compileNode(data, "", 0, compiler);
  return { root, faults: compiler.faults, uses: root.kind === "constant" ? undefined : templateUses(root) };
}
