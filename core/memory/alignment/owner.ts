// Whose a statement is: the user's, or another person's, or a named thing's.
import { keyOf } from "../normalise.ts";
import { isFinite, isPast, isVerb } from "../verbs.ts";
import { isMatter, isPerson, matterOf, personOf } from "./concepts.ts";
import type { TypedValue } from "./typed-values.ts";
import { FUNCTION, type Word } from "./words.ts";

/** Names of a thing's kind, where the noun before says that it is no person: "password manager". */
export const NO_PERSON = /^(?:password|package|file|task|window|mail|email|chat|api|web|ftp|ssh|git|database)$/i;
const IS = /^(?:is|are|was|were|called|named)$/i;
/** Whether the verb is of several. */
const takesMany = (verb: string) =>
  /^(?:are|were|have|should|must|will|can|do)$|n't$/.test(verb) || (isVerb(verb) && !isPast(verb) && !/s$/.test(verb));
/** A name that begins a statement, where the word is in truth a noun: "Backups run at 2". */
const isNoun = (word: Word, next = "") =>
  isMatter(matterOf(word.key)) ||
  /ing$/.test(word.text) ||
  // A name that ends in s takes a verb of one person: "Tomas has", but "Backups run".
  (/^\p{Lu}\p{Ll}+[^s'i]s$/u.test(word.text) && takesMany(next));

/** The owner of a statement, and how many words name it. */
export function ownerOf(words: readonly Word[], values: readonly TypedValue[]): { owner: string; length: number } {
  const [first, second] = words;
  if (!first) return { owner: "user", length: 0 };
  const isThe = /^the$/i.test(first.text);
  if (isThe && /^user$/i.test(second?.text ?? "")) return { owner: "user", length: 2 };
  if (/^(?:their|his|her)$/i.test(first.text)) return { owner: "they", length: 1 };
  const isOurs = isThe && /^user's$/i.test(second?.text ?? "");
  if (isOurs || isThe || /^(?:their|this|that|all|an?)$/i.test(first.text)) {
    const start = isOurs ? 2 : 1;
    for (let at = start; at < Math.min(words.length, start + 4); at++) {
      const word = words[at]!;
      if (FUNCTION.test(word.text) || (at > start && isVerb(word.text.toLowerCase()) && !isPerson(word.key))) break;
      if (!isPerson(keyOf(word.text.replace(/'s$/, ""))) || NO_PERSON.test(words[at - 1]?.text ?? "")) continue;
      const name = words[at + 1];
      const isLastNoun =
        !name ||
        FUNCTION.test(name.text) ||
        /^\p{Lu}/u.test(name.text) ||
        isFinite(name.text) ||
        (/s$/.test(word.text) && isVerb(name.text)) ||
        /(?:ed|ly)$|^(?:never|often|soon|too|once|always|really|hardly|no|both|all|who|whose|might|may|can|could|would|should|will|must|won't|can't|'s)$/i.test(
          name.text,
        );
      if (!isLastNoun && !/'s$/.test(word.text)) continue;
      // "My boss is Lena" is about me.
      const next = /^(?:an?|now|still|not|mr|ms|mrs|dr|prof|called|named|the)\.?$/i.test(words[at + 2]?.text ?? "")
        ? at + 3
        : at + 2;
      const isNamed = values.some(
        ({ type, from }) =>
          type === "name" &&
          (from === next || (from > next && from < next + 4 && /^(?:called|named)$/i.test(words[from - 1]!.text))),
      );
      if (name && IS.test(name.text) && isNamed) return { owner: "user", length: at + 1 };
      const named = name && /^\p{Lu}/u.test(name.text) && !word.isLast ? name.key : "";
      return { owner: named || personOf(keyOf(word.text.replace(/'s$/, ""))), length: at + 1 };
    }
    return { owner: "user", length: start };
  }
  if (
    !/^\p{Lu}/u.test(first.text) ||
    /^(?:They|Someone|Somebody|It|There|No|New|You|I|Please|Keep|Use|Write|Answer|Always|Never|Be|Finance|Accounting|Management|Company|Team|Sales|Marketing|Support|Legal|Engineering|HR|Operations|Purchasing|Procurement)$/.test(
      first.text,
    )
  )
    return { owner: "user", length: 0 };
  const isCompound =
    second !== undefined &&
    /^[\p{Ll}-]{3,}$/u.test(second.text) &&
    !FUNCTION.test(second.text) &&
    !isFinite(second.text) &&
    !isVerb(second.text) &&
    !/(?:ed|s|ly)$|^(?:put|cut|let|hit|shut|read|spread|split|bet|beat|too|also|just|still)$/.test(second.text);
  if (
    (isNoun(first, /^(?:now|also|just|still)$/.test(second?.text ?? "") ? words[2]?.text : second?.text) ||
      (isCompound && !isPerson(second.key)) ||
      /^#?\d/.test(second?.text ?? "")) &&
    !/^\p{Lu}/u.test(second?.text ?? "")
  )
    return { owner: "user", length: 1 };
  let at = /^(?:mr|ms|mrs|dr|prof)\.?$/i.test(first.text) ? 1 : 0;
  while (words[at + 1] && /^\p{Lu}/u.test(words[at + 1]!.text) && !/'s$/.test(words[at]!.text) && at < 3) at++;
  const last =
    at > 0 &&
    /^(?:GmbH|AG|Inc|Ltd|LLC|Corp|SA|BV|Oy|AB|SE|KG|Group|Industries|Corporation|Company)\.?(?:'s)?$/.test(
      words[at]!.text,
    )
      ? at - 1
      : at;
  const name = personOf(keyOf(words[last]!.text.replace(/'s$/, "")));
  const theirs = /'s?$/.test(words[at]!.text) ? words[at + 1] : undefined;
  const isCalled = /^(?:is|are) (?:called|named) \p{Lu}|^is \p{Lu}/u.test(
    words
      .slice(at + 2, at + 5)
      .map(word => word.text)
      .join(" "),
  );
  if (theirs && isPerson(theirs.key) && !isCalled) return { owner: `${name}/${personOf(theirs.key)}`, length: at + 2 };
  return { owner: name, length: at + 1 };
}
