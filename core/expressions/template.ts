import { MAX_EXPRESSIONS, MAX_JSON_DEPTH } from "./limits.ts";
import { parseExpression, type ParsedExpression } from "./parse.ts";
import { splitSegments } from "./segments.ts";

/** What is wrong with one string; `path` is where it stands in the data, as `headers.0.value`. */
export interface TemplateFault {
  path: string;
  message: string;
}

/** Data with its expressions parsed. What holds no expression is one constant, however large. */
export type TemplateNode =
  | { kind: "constant"; value: unknown }
  | { kind: "value"; expression: ParsedExpression; path: string }
  | { kind: "text"; parts: readonly (string | ParsedExpression)[]; path: string }
  | { kind: "array"; items: readonly TemplateNode[] }
  | { kind: "object"; entries: readonly (readonly [string, TemplateNode])[] };

export interface Template {
  root: TemplateNode;
  /** Empty when every expression could be parsed; a template with faults cannot be resolved. */
  faults: readonly TemplateFault[];
}

interface Compiler {
  faults: TemplateFault[];
  expressions: number;
}

const pathOf = (path: readonly string[]) => path.join(".");

function compileString(text: string, path: readonly string[], compiler: Compiler): TemplateNode {
  const constant: TemplateNode = { kind: "constant", value: text };
  if (!text.includes("{{")) return constant;
  const fault = (message: string) => {
    compiler.faults.push({ path: pathOf(path), message });
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
      // Said once: every further string would only repeat it.
      return compiler.expressions === MAX_EXPRESSIONS + 1
        ? fault(`There are more than ${MAX_EXPRESSIONS} expressions: split the step into several`)
        : constant;
    }
    const parsed = parseExpression(segment.source);
    if ("fault" in parsed) return fault(parsed.fault);
    parts.push(parsed.expression);
  }
  const [only, ...more] = parts;
  return typeof only === "object" && more.length === 0
    ? { kind: "value", expression: only, path: pathOf(path) }
    : { kind: "text", parts, path: pathOf(path) };
}

function compileNode(data: unknown, path: readonly string[], compiler: Compiler): TemplateNode {
  if (typeof data === "string") return compileString(data, path, compiler);
  const constant: TemplateNode = { kind: "constant", value: data };
  if (typeof data !== "object" || data === null) return constant;
  if (path.length >= MAX_JSON_DEPTH) {
    compiler.faults.push({
      path: pathOf(path),
      message: `Data is nested deeper than ${MAX_JSON_DEPTH} levels: flatten it`,
    });
    return constant;
  }
  if (Array.isArray(data)) {
    const items = data.map((item, index) => compileNode(item, [...path, String(index)], compiler));
    return items.every(item => item.kind === "constant") ? constant : { kind: "array", items };
  }
  const entries = Object.entries(data).map(
    ([key, value]) => [key, compileNode(value, [...path, key], compiler)] as const,
  );
  return entries.every(([, node]) => node.kind === "constant") ? constant : { kind: "object", entries };
}

/**
 * Parses every `{{ expression }}` in a JSON value (keys are kept as they are). A string that is one expression and
 * nothing else stands for the expression's value; in a longer string its text is put in. Compile once, resolve often.
 * Parts without expressions are given back by reference when the template is resolved.
 */
export function compileTemplates(data: unknown): Template {
  const compiler: Compiler = { faults: [], expressions: 0 };
  const root = compileNode(data, [], compiler);
  return { root, faults: compiler.faults };
}
