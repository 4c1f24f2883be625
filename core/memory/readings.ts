import { stem } from "../embedding/stem.ts";
import { dayKey } from "./dates.ts";
import { keyOf } from "./normalise.ts";

export interface Reading {
  /** Instead of the statement's own. */
  subject?: string;
  relation: string;
  value: string;
  negated?: boolean;
  single?: boolean;
  replaces?: string;
  qualifiers?: string[];
}

export interface Said {
  subject: string;
  negated: boolean;
  isUpdate: boolean;
}

export type Reader = (match: RegExpExecArray, said: Said) => Reading | null;

/** Products are moved to as well; their names have releases, dots or capitals inside. */
export const isPlace = (place: string) =>
  dayKey(place) === null &&
  ((/^\p{Lu}/u.test(place) && !/\d\.\d|\.\p{L}|(?!Mc|Mac|De|La|Le)\b\p{Lu}\p{Ll}+\p{Lu}/u.test(place)) ||
    /^the (?:countryside|suburbs|city|coast|mountains|country)\b/.test(place));
/** The name at the beginning of more: "Acme as an engineer". */
export const headOf = (text: string) =>
  text.replace(/(?:,| (?:as|in|on|since|for|with|near|from|until|at|because|after|where|which|who|to)) .*$/i, "");
export const toOne = (relation: string, value: string): Reading => ({ relation, value: keyOf(value), single: true });
export const toMany = (relation: string, value: string): Reading => ({ relation, value: keyOf(value) });

export function residence(place: string, from?: string): Reading | null {
  // "A flat in Leeds": the town, and not the flat.
  const town = /^(?:an?|the|their|his|her) [^,]*? in (?=\p{Lu})(.+)$/u.exec(place)?.[1] ?? place;
  if (!isPlace(town)) return null;
  // Tools are moved from and to as well: it ends nothing but what it names.
  const left = from === undefined ? {} : { single: false, replaces: keyOf(headOf(from)) };
  return { ...toOne("live in", headOf(town)), ...left };
}

/** Any other verb and its object. */
export function action(verb: string, object: string): Reading {
  const root = stem(verb.toLowerCase());
  const known = keyOf(object);
  if (root === "like" || root === "enjoi" || root === "love") return toMany("like", object);
  if (root === "have" || root === "ha") return toMany("have", object);
  return { relation: `do ${root}`, value: known };
}
