import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/** The minimum score of a new password, from 0 to 4. It stands for at least 10^8 guesses. */
export const LEAST_SCORE = 3;
/** Only the beginning of a longer password is judged, because the time of an estimate grows with the length. */
const MAX_ESTIMATED = 64;
const MAX_HINTS = 10;

/** Explanations for the estimator's names of weaknesses. */
const REASONS: Readonly<Record<string, string>> = {
  straightRow: "Rows of keys on a keyboard are easy to guess.",
  keyPattern: "Short keyboard patterns are easy to guess.",
  simpleRepeat: "Repeated characters are easy to guess.",
  extendedRepeat: "Repeated words and characters are easy to guess.",
  sequences: "Sequences such as abc or 6543 are easy to guess.",
  recentYears: "Recent years are easy to guess.",
  dates: "Dates are easy to guess.",
  topTen: "It is a very common password.",
  topHundred: "It is a very common password.",
  common: "It is a common password.",
  similarToCommon: "It is similar to a common password.",
  wordByItself: "A single word is easy to guess.",
  namesByThemselves: "Names are easy to guess.",
  commonNames: "Names are easy to guess.",
  userInputs: "It contains your name or address.",
};

export interface Strength {
  /** 0 to 4. */
  score: number;
  /** What makes the password weak, if the estimator knows. */
  reason: string | undefined;
}

let estimator: Promise<ZxcvbnFactory> | undefined;

/** The lists of common passwords take 30 MB, so a process loads them with its first new password. */
async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_ESTIMATED });
}

/** The words that attackers try first: the parts of a person's name and address. */
const wordsOf = (texts: readonly (string | null | undefined)[]): string[] =>
  texts
    .flatMap(text => (text ? [text, ...text.split(/[^\p{L}\p{N}]+/u)] : []))
    .filter(word => word.length > 2)
    .slice(0, MAX_HINTS);

/** Estimates how many guesses a password takes. `personal` contains what an attacker may know about the person. */
export async function estimate(
  password: string,
  personal: readonly (string | null | undefined)[] = [],
): Promise<Strength> {
  const { check } = await (estimator ??= load()).then(one => ({ check: one.check.bind(one) }));
  const { score, feedback } = check(password.slice(0, MAX_ESTIMATED), ["weft", ...wordsOf(personal)]);
  return { score, reason: feedback.warning ? REASONS[feedback.warning] : undefined };
}
