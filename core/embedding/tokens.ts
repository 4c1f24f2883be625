import { inNormalForm } from "../normal-form.ts";

/** Words that connect other words and say little about the subject of a text. */
const FUNCTION_WORDS = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its " +
    "me my no not of on or our she should so some such than that the their them then there these they this those to up us " +
    "was we were what when where which who whom why will with would you your am any because before after about also just " +
    "more most other out over own same too under very s t don now get got may might must shall one only all each few both"
  ).split(" "),
);

export const isFunctionWord = (word: string): boolean => FUNCTION_WORDS.has(word);

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const APOSTROPHE = /(?<=\p{L})['’](?=\p{L})/gu;

/** The words of a text in lower case without accents. Scripts without spaces give letter n-grams. */
export function embeddingTokens(text: string): string[] {
  const plain = inNormalForm(text, "NFKD")
    .replace(/\p{Mn}+/gu, "")
    .toLowerCase();
  return plain.replace(APOSTROPHE, "").match(WORD) ?? [];
}
