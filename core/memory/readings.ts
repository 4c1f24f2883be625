import { stem } from "../embedding/stem.ts";
import { dayKey } from "./dates.ts";
import { keyOf } from "./normalise.ts";

export interface Reading {
  /** Replaces the statement's own subject. */
  subject?: string;
  relation: string;
  value: string;
  negated?: boolean;
  single?: boolean;
  replaces?: string;
  qualifiers?: string[];
  /** It says that something has changed. */
  isUpdate?: true;
  /** Earlier versions read the statement differently. */
  isRecent?: true;
  /** Another statement that ends with it. */
  ends?: { subject: string; relation: string; value: string };
}

export interface Clause {
  subject: string;
  negated: boolean;
  isUpdate: boolean;
}

export type Reader = (match: RegExpExecArray, said: Clause) => Reading | null;

/** People "move to" products too. Product names contain releases, dots or inner capitals. */
export const isPlace = (place: string) =>
  dayKey(place) === null &&
  ((/^\p{Lu}/u.test(place) && !/\d\.\d|\.\p{L}|(?!Mc|Mac|De|La|Le)\b\p{Lu}\p{Ll}+\p{Lu}/u.test(place)) ||
    /^the (?:countryside|suburbs|city|coast|mountains|country)\b/.test(place));
/** The leading name of a phrase: "Acme" in "Acme as an engineer". */
export const headOf = (text: string) =>
  text.replace(/(?:,| (?:as|in|on|since|for|with|near|from|until|at|because|after|where|which|who|to)) .*$/i, "");
export const toOne = (relation: string, value: string): Reading => ({ relation, value: keyOf(value), single: true });
export const toMany = (relation: string, value: string): Reading => ({ relation, value: keyOf(value) });

export function residence(place: string, from?: string): Reading | null {
  // "A flat in Leeds": the place is the town, not the flat.
  const town = /^(?:an?|the|their|his|her) [^,]*? in (?=\p{Lu})(.+)$/u.exec(place)?.[1] ?? place;
  if (!isPlace(town)) return null;
  // People move from and to tools as well, so this supersedes only the value that it names.
  const left = from === undefined ? {} : { single: false, replaces: keyOf(headOf(from)) };
  return { ...toOne("live in", headOf(town)), ...left };
}

/** Reads any other verb with its object. */
export function action(verb: string, object: string): Reading {
  const root = stem(verb.toLowerCase());
  const known = keyOf(object);
  if (root === "like" || root === "enjoi" || root === "love") return toMany("like", object);
  if (root === "have" || root === "ha") return toMany("have", object);
  return { relation: `do ${root}`, value: known };
}
