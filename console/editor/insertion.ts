import { pathText } from "./path.ts";
import { type Language, tokensOf } from "./tokens.ts";

export type ValuePath = readonly (string | number)[];

/**
 * What to insert at a position of a text so that it gives the value at a path. Undefined if no expression can name the
 * value.
 */
export function insertionAt(text: string, at: number, path: ValuePath, language: Language): string | undefined {
  const source = pathText(path, language === "javascript" ? "javascript" : "expression");
  if (source === undefined || language === "javascript" || language === "expression") return source;
  return tokensOf(text, "template", at).state.inside ? source : `{{ ${source} }}`;
}
