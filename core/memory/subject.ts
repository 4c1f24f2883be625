import { keyOf } from "./normalise.ts";
import { isFinite, isVerb } from "./verbs.ts";

export interface Parts {
  /** The key of the subject: `user`, `user/mother`, `anna`. */
  key: string;
  /** The key with the kind of the thing: "the user's client Acme" has the key `acm` and the alias `user/client acm`. */
  alias?: string;
  /** The subject as it was written. */
  subject: string;
  predicate: string;
}

const MAX_SUBJECT_WORDS = 8;
/** An apposition names the subject a second time. */
const APPOSITION = /^([^,]+), [^,]+, (?=\p{Ll})/u;
const WHEN = /^(?:in|on|at|last|next|this|since|every|during|yesterday|today|tomorrow)\b[^,]*?,?\s+(?=the user\b)/i;
const PLURAL = /^(?!always$|perhaps$|sometimes$|besides$|afterwards$)(?:.*[^sui'’]s|people|children|men|women)$/i;
const DETERMINER = /(?:^(?:the|an?|this|that|their|his|her)|'s)$/i;
const bare = (word: string) => word.replace(/[^\p{L}'’-]/gu, "");
const ADVERB =
  /^(?:really|also|always|usually|currently|just|still|never|no|longer|now|only|recently|often|sometimes|mostly)$/i;

function keyOfSubject(subject: string): string {
  const plain = subject.replace(/,[^,]*,?$/, "");
  const owned = /^the user's (.+)$/i.exec(plain)?.[1];
  const named = /^(.+?)'s (.+)$/.exec(plain);
  if (owned !== undefined && /^(?:new )?number$/i.test(owned)) return "user/phone";
  if (owned !== undefined) return `user/${keyOf(owned.replace(/\b(?:new|current)\b/gi, "").replace(/'s /g, " "))}`;
  if (named) return `${keyOf(named[1]!)}/${keyOf(named[2]!)}`;
  return keyOf(plain.replace(/^the (?:new|current) /i, ""));
}

const KIND =
  "(?:server|service|project|app|application|system|tool|company|client|customer|supplier|vendor|repository|repo|database)";
const NAME = "\\p{Lu}[\\p{L}\\d'.-]*(?: \\p{Lu}[\\p{L}\\d'.-]*){0,2}";
const NAMED = new RegExp(
  `^(?:[Tt]he user's (?:(?!(?:favou?rite|new|old|last|first|next|to|in|of|at|on|from|with|for|by|and|or|near|about|via|as|the|an?) )\\p{Ll}[\\p{Ll}-]+ ){1,3}(${NAME})|[Tt]he (${NAME}) ${KIND}|[Tt]he ${KIND} (${NAME}))$`,
  "u",
);

/** A name has the same key with and without the kind of the thing before it. */
function keysOf(subject: string): Pick<Parts, "key" | "alias"> {
  const whole = keyOfSubject(subject);
  const [, ours, the, kind] = NAMED.exec(subject) ?? [];
  const name = ours ?? the ?? kind;
  return name === undefined ? { key: whole } : { key: keyOf(name), alias: whole };
}

/**
 * A statement in the third person, split after its subject. Null when the rules find no subject, or one that is not a
 * single thing.
 */
export function partsOf(statement: string, name: string): Parts | null {
  const text = statement
    .trim()
    .replace(/[.!\s]+$/, "")
    .replaceAll("’", "'")
    .replace(APPOSITION, "$1 ")
    .replace(WHEN, "");
  const own = [name, "The user"].find(one => text.toLowerCase().startsWith(`${one.toLowerCase()} `));
  if (own !== undefined && !/^and\b/i.test(text.slice(own.length + 1))) {
    return { key: "user", subject: own, predicate: text.slice(own.length + 1) };
  }
  const words = text.split(/\s+/);
  let at = words.findIndex((word, place) => place > 0 && isFinite(bare(word)));
  const plural = words.findIndex((word, place) => place > 0 && PLURAL.test(words[place - 1]!) && isVerb(bare(word)));
  // "The sales report is": a word that looks like a verb after a plural belongs to the subject.
  if (plural > 0 && (at < 0 || at > plural + 2)) at = plural;
  // An unknown verb: "The course lasts 6 weeks".
  if (at < 0)
    at = words.findIndex(
      (word, place) => place > 1 && DETERMINER.test(words[place - 2]!) && /^\p{Ll}{3,}s$/u.test(word),
    );
  if (at <= 0 || at > MAX_SUBJECT_WORDS) return null;
  while (at > 1 && ADVERB.test(words[at - 1]!)) at--;
  const subject = words
    .slice(0, at)
    .join(" ")
    .replace(name === "The user" ? /^$/ : `${name}'s`, "the user's");
  // "A friend of mine" may be a different friend each time.
  if (
    /^(?:an?|some|many|most|one|two|several|there|it|this|that|these|those|he|she|they|their|his|her|who|what|if|when)\b/i.test(
      subject,
    )
  )
    return null;
  return { ...keysOf(subject), subject, predicate: words.slice(at).join(" ") };
}
