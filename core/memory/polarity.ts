export interface Predicate {
  text: string;
  negated: boolean;
  /** The statement says that something has changed. */
  isUpdate: boolean;
}

/** Statements that are not asserted: wishes, plans, guesses and hearsay. */
const NOT_SO =
  /\b(?:would|might|may|could|should|maybe|perhaps|probably|possibly|wants? to|wishes|hopes?|plans? to|is planning|is thinking|is considering|is trying|is going to|is about to|will|if|intends?|said|says|thinks?|thought|believes?|heard|told|tells|dreams? of|is hoping|almost|nearly|needs? to|has to|tried to)\b/i;

const ADVERBS =
  /^(?:(?:really|also|usually|currently|just|still|now|recently|mostly|often|sometimes|generally|typically|absolutely|totally|finally|actually|already|definitely|particularly|especially|truly|mainly|normally|strongly|does(?! not\b)|do(?! not\b))\s+)+(?=\S)/i;
const UPDATE =
  /\b(?:now|these days|nowadays|from (?:here|today) on|as of (?:today|now)|at the moment|instead|has become|(?:switched|changed|upgraded|updated|migrated|moved) to)\b/i;
const TAIL =
  /[\s,]+(?:by now|now|from (?:now|here|today) on|these days|nowadays|currently|at the moment|any ?more|any longer|again|instead|too|as well|either|so much|very much|a lot|at all|after all|as of (?:today|now|yesterday))$/i;
const NEGATIONS: [RegExp, string][] = [
  [/^no longer\s+/i, ""],
  [/^(?:does|do|did)(?:n't| not)\s+(?:(?:really|usually|even|ever)\s+)?/i, ""],
  [/^never\s+/i, ""],
  [/^(is|was|has|are)(?:n't| not) (?:a |an )?(?:any )?(?=\S)/i, "$1 "],
  [/^(is|was|has|have|can|are) (?:no longer|never)\s+/i, "$1 "],
  [/^can(?:not|'t| not)\s+(?!stand|bear|resist|wait)/i, ""],
  [/^(?:has|have) no (?!idea|problem|clue|doubt|longer)(?=\w)/i, "has "],
  [/^(speaks|eats|drinks|owns|uses|plays|wears|watches) no (?=\w)/i, "$1 "],
  [/^(is|are) out of (?:the )?(?=(?:hospital|prison|jail|rehab|quarantine|retirement)$)/i, "$1 in "],
  [/^used to\s+/i, ""],
  [/^(?:is|are) (?:unable|not able) to\s+/i, ""],
];

/** The predicate of a statement without its adverbs and its negation; null if the statement is not asserted. */
export function predicateOf(predicate: string): Predicate | null {
  // "May" with a capital is the month, and "going to Rome" is a journey: neither expresses doubt.
  if (NOT_SO.test(predicate.replace(/\bMay\b|\bis going to (?=\p{Lu})/gu, ""))) return null;
  const isUpdate = UPDATE.test(predicate);
  let text = predicate;
  let negated = false;
  for (let before = ""; before !== text;) {
    before = text;
    text = text.replace(TAIL, "");
  }
  // Adverbs and negations can follow one another, so several rounds are needed.
  for (let round = 0; round < 3; round++) {
    text = text
      .replace(/^does (?!not\b)/i, "")
      .replace(ADVERBS, found => (/^(?:does|do)\s+(?:not)/i.test(found) ? found : ""));
    const negation = NEGATIONS.find(([pattern]) => pattern.test(text));
    if (!negation) continue;
    text = text.replace(...negation);
    negated = !negated;
  }
  return {
    text: text.replace(/^(is|was|has|are) (?:now|still|currently|also|just|really|actually)\s+/i, "$1 "),
    negated,
    isUpdate,
  };
}
