import { tokensOf } from "./tokens.ts";

/** How a typed character is handled: which text is deleted, and where the cursor goes. */
export interface Overtyped {
  from: number;
  to: number;
  cursor: number;
}

/**
 * Handles a character that the editor has already inserted with the closing braces: a space after `{{`, or one of the
 * closing braces. Undefined for all other characters.
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
    // A typed space replaces the one in front of the braces.
    const own = before.endsWith(" ") && !/\{\{ $/.test(before);
    const gone = own && braces.startsWith(" ") ? 1 : 0;
    return { from: at, to: at + gone, cursor: at + braces.length - 1 - gone };
  }
  const isSecond = before.endsWith("}") && after.startsWith("}") && ends(at - 1);
  return isSecond ? { from: at, to: at, cursor: at + 1 } : undefined;
}
