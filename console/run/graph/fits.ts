import { STEP } from "./sizes.ts";

/** The width of everything in a step besides its texts: borders, paddings, the icon, and gaps. */
const BESIDE = 80;
/** The width of each sign after the texts, including its gap. */
const SIGN = 24;

/** The largest width of a character in pixels, in any font of the page, at the size of a step's name. */
function widthOf(letter: string): number {
  if (/[ijlftrI.,:;'!|()[\]\s]/.test(letter)) return 6;
  if (/[a-hknopqsuvxyz0-9$?*"/_\-“”‘’é]/.test(letter)) return 8.6;
  if (/[ABCDEFGHJKLNOPQRSTUVXYZ&#+=<>~]/.test(letter)) return 11;
  return 15;
}

/**
 * Whether a text certainly fits into a step with this many signs. Only other texts get CSS that cuts them. The browser
 * sorts each such text separately before it paints, which takes as long as everything else in a large graph.
 */
export function fitsStep(text: string, signs: number): boolean {
  let left = STEP.width - BESIDE - signs * SIGN;
  for (const letter of text) {
    left -= widthOf(letter);
    if (left < 0) return false;
  }
  return true;
}
