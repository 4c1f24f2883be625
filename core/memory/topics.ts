// The topic of a value, so that "the Golf" is found in "drives a blue Golf".
import type { Slots } from "./fact.ts";

const HEAD_ENDS = / (?:in|on|at|for|with|when|everi|each|per|from|to|as|of|becaus|onc|\d+ time)(?: .*)?$/;
const LEADS = /^(?:(?:in|on|at|for|with|by|to|from|of|as|work|do|take|have) )+/;
/** Words for the kind of a named thing: `subscription` in `netflix subscription`. */
const KINDS =
  /(?: (?:subscript|membership|account|plan|licenc|school|diet|lesson|tablet|phone|laptop|comput|car|newspap|contract|[\d.]+))+$/;

/** The noun of a value with the words before it: `blue golf`, or `netflix` for `netflix subscription`. */
export function thingOf(value: string): string {
  const bare = value.replace(LEADS, "");
  const head = ` ${bare}`.replace(HEAD_ENDS, "").trim() || bare;
  return head.replace(KINDS, "");
}

/** The last word of the thing. Statements about one thing share it. */
export const topicOf = (value: string): string => /(?:^| )(\S+)$/.exec(thingOf(value))?.[1] ?? "";

/** Whether `part` is a shorter or equal name of the thing in `value`. They have the same topic then. */
export function names(part: string, value: string): boolean {
  const thing = thingOf(part);
  return thing.length > 1 && ` ${thingOf(value)}`.endsWith(` ${thing}`);
}

/** Whether `part` names the thing of a statement or the means of its verb: AWS in "hosts everything on AWS". */
export function isOf(part: string, { relation, value }: Slots): boolean {
  const thing = thingOf(part);
  return (
    names(part, value) ||
    (thing.length > 1 && MEANS.includes(relation) && ` ${value.replace(KINDS, "")}`.endsWith(` ${thing}`))
  );
}

/** Verbs that take a means, a place or a companion: AWS in "hosts everything on AWS". */
export const MEANS = (
  "host deploi run us build code write store keep manag track plan work program drink eat drive commut " +
  "go take plai learn studi train save do attend read subscrib watch prepar listen wear rent"
)
  .split(" ")
  .map(root => `do ${root}`)
  .concat("be", "plan", "have", "job", "live with", "work shift");

/** Whether the statement only says that something is over. */
export const isEnding = ({ negated, relation, value }: Slots): boolean =>
  negated && (relation === "any" || relation === "have") && value !== "";

/** Words for partners, as keys. */
export const PARTNERS = ["spous", "girlfriend", "boyfriend", "partner", "fianc", "fiance", "fiancé", "fiancée"];
