import type { ParsedExpression } from "./parse.ts";

/** Data with its expressions parsed. A part without expressions is one constant, however large. */
export type TemplateNode =
  | { kind: "constant"; value: unknown }
  | { kind: "value"; expression: ParsedExpression; path: string }
  | { kind: "text"; parts: readonly (string | ParsedExpression)[]; path: string }
  | { kind: "array"; items: readonly TemplateNode[] }
  | { kind: "object"; entries: readonly (readonly [string, TemplateNode])[] };
