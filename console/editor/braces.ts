import { tokensOf } from "./tokens.ts";

/** What takes the place of a typed character: text that goes, and where the cursor is then. */
export interface Overtyped {
  from: number;
  to: number;
  cursor: number;
}

/**
 * What to do where a character is typed that the editor has written already with the closing braces: a space behind `{{`,
 * and the closing braces themselves. Undefined where the character is text like any other.
 */
export function overtyped(text: string, at: number, char: string): Overtyped | undefined {
  const [before, after] = [text.slice(0, at), text.slice(at)];
  if (char === " ") {
    const isFresh = /(^|[^{])\{\{ $/.test(before) && after.startsWith(" }}");
    return isFresh ? { from: at, to: at, cursor: at } : undefined;
  }
  if (char !== "}") return undefined;
  const ends = (until: number) => {
    const { inside, open, depth } = tokensOf(text, "template", until).state;
    return inside && open === "" && depth === 0;
  };
  const [braces] = /^ ?\}\}/.exec(after) ?? [];
  if (braces !== undefined && ends(at)) {
    // A space that was typed takes the place of the one before the braces.
    const own = before.endsWith(" ") && !/\{\{ $/.test(before);
    const gone = own && braces.startsWith(" ") ? 1 : 0;
    return { from: at, to: at + gone, cursor: at + braces.length - 1 - gone };
  }
  const isSecond = before.endsWith("}") && after.startsWith("}") && ends(at - 1);
  return isSecond ? { from: at, to: at, cursor: at + 1 } : undefined;
}
