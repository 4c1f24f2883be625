/**
 * The most marks in a row that are put in order together. To order a run of marks takes quadratic time, and no language
 * has longer runs (Unicode Standard Annex 15, "Stream-Safe Text Format").
 */
const LONG_RUN = /[\p{M}\uff9e\uff9f]{30}(?=[\p{M}\uff9e\uff9f])/gu;
/** This mark ("combining grapheme joiner") is invisible, and marks do not change places with it. */
const JOINER = "\u034f";

/** A text in a normal form of Unicode, in linear time. Longer runs of marks are split by invisible joiners. */
export const inNormalForm = (text: string, form: "NFC" | "NFKC" | "NFKD"): string =>
  text.replace(LONG_RUN, `$&${JOINER}`).normalize(form);
