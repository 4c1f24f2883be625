import { inNormalForm } from "../normal-form.ts";

/** Something with a name. People search for it by parts of the name. */
export interface Named {
  title: string;
  subtitle: string | null;
}

/** Removes case and accents. */
const plain = (text: string) =>
  inNormalForm(text, "NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();

const isWordStart = (text: string, at: number) => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!);

function scoreOf(word: string, title: string, subtitle: string): number {
  const at = title.indexOf(word);
  if (at === 0) return 4;
  if (at > 0) return isWordStart(title, at) ? 3 : 2;
  return subtitle.includes(word) ? 1 : 0;
}

/**
 * Compares names with a question. The result is from 1 for a word in the subtitle to above 4 for the whole title, and 0
 * if a word of the question is missing.
 */
export function nameMatcher(question: string): (named: Named) => number {
  const whole = plain(question).trim();
  const words = whole.split(/\s+/).filter(word => word !== "");
  return ({ title, subtitle }) => {
    const [name, more] = [plain(title), plain(subtitle ?? "")];
    if (words.length === 0) return 0;
    let sum = 0;
    for (const word of words) {
      const score = scoreOf(word, name, more);
      if (score === 0) return 0;
      sum += score;
    }
    return sum / words.length + (name === whole ? 1 : 0);
  };
}
