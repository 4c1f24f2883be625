import { WORDINGS } from "./normalise-wording.ts";
import { PREDICATES } from "./slots.ts";

const NARROW = "The user lives in Paris";
const WIDE = "The user’s home is Paris";

function* patterns(): Generator<RegExp> {
  for (const part of WORDINGS) for (const [pattern] of part()) yield pattern;
  yield* PREDICATES;
}

/**
 * Applies each rule to a short statement, and yields after each one. The engine compiles a pattern at its first use,
 * once for texts of Latin-1 and once for others (`isWide`), and drops patterns that were not used for a while. For all
 * rules together, this takes as long as reading a hundred sentences, so it is not left to the first sentence.
 */
export function* warmUpRules(isWide: boolean): Generator<void> {
  for (const pattern of patterns()) {
    for (const statement of isWide ? [NARROW, WIDE] : [NARROW]) {
      // The second use compiles it once more, to faster code.
      for (let use = 0; use < 2; use++) statement.search(pattern);
    }
    yield;
  }
}
