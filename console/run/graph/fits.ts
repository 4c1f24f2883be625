import { STEP } from "./sizes.ts";

/** What a step has beside its texts: borders, paddings, the icon, and the gaps between them. */
const BESIDE = 80;
/** The room that each sign behind the texts takes, with the gap before it. */
const SIGN = 24;

/** The most that a letter takes, in pixels, in any of the fonts of the page at the size of a step's name. */
function widthOf(letter: string): number {
  if (/[ijlftrI.,:;'!|()[\]\s]/.test(letter)) return 6;
  if (/[a-hknopqsuvxyz0-9$?*"/_\-“”‘’é]/.test(letter)) return 8.6;
  if (/[ABCDEFGHJKLNOPQRSTUVXYZ&#+=<>~]/.test(letter)) return 11;
  return 15;
}

/**
 * Whether a text surely fits into a step that has so many signs behind it. Only other texts are cut: the browser sorts each
 * one that may be cut by itself before it paints, which takes as long as all the rest of a large graph.
 */
export function fitsStep(text: string, signs: number): boolean {
  let left = STEP.width - BESIDE - signs * SIGN;
  for (const letter of text) {
    left -= widthOf(letter);
    if (left < 0) return false;
  }
  return true;
}
