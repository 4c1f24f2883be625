// Whether a statement gives a matter another value: another day, another sum, another state.
import { kindOf } from "./alternatives.ts";
import type { Profile } from "./profile.ts";
import type { TypedValue, ValueType } from "./typed-values.ts";

/** Types of which a person has one value, whatever is said of it. */
export const PLAIN: readonly ValueType[] = ["email", "phone", "version"];
/** Values that only an explicit "now" replaces. */
export const PLACES: readonly ValueType[] = ["place"];
export const TIMES: readonly ValueType[] = [
  "date",
  "day",
  "time",
  "money",
  "number",
  "percent",
  "version",
  "rate",
  "often",
];
const FIGURES: readonly ValueType[] = ["number", "money", "percent", "version", "email", "phone", "url"];

const groupOf = ({ type }: TypedValue) => (type === "day" ? "date" : type);
const isSum = ({ type, unit }: TypedValue) => type === "money" || (type === "number" && unit === undefined);
const isComparable = (a: TypedValue, b: TypedValue) =>
  a.type !== b.type && isSum(a) && isSum(b)
    ? true
    : groupOf(a) === groupOf(b) &&
      (a.type !== "number" || a.unit === b.unit || a.unit === undefined || b.unit === undefined);
const isSame = (a: TypedValue, b: TypedValue) => groupOf(a) === groupOf(b) && a.key === b.key;

/** "Every Sunday", "on Sundays": a day of each week is compared with no date. */
const isWeekly = ({ words }: Profile, { type, from }: TypedValue) =>
  type === "day" && (/s$/i.test(words[from]!.text) || /^(?:every|each)$/i.test(words[from - 1]?.text ?? ""));

/** Whether `now` gives another value of one of these types; of any type but places when they are left out. */
export function hasOtherValue(now: Profile, before: Profile, types?: readonly ValueType[]): boolean {
  const owners = before.owner === "user" ? [] : [now.owner, before.owner];
  const isValue = ({ type, key }: TypedValue) =>
    (types === undefined ? type !== "place" : types.includes(type)) && (type !== "name" || !owners.includes(key));
  // A noun that begins the statement has a capital, but is no name.
  const isNoun = ({ from, to, key }: TypedValue) =>
    from === 0 && to < 2 && key === now.owner && before.topics.some(topic => topic.key === key);
  const theirs = before.values.filter(isValue);
  const isHeld = (value: TypedValue) =>
    now.values.some(other => other.from >= now.length && other.key === value.key && other.type === value.type);
  return now.values.some(
    value =>
      isValue(value) &&
      !isNoun(value) &&
      !before.values.some(one => isSame(one, value)) &&
      theirs.some(
        one =>
          isComparable(one, value) &&
          !isHeld(one) &&
          !(one.type === "date" && isWeekly(now, value)) &&
          !(value.type === "date" && isWeekly(before, one)),
      ),
  );
}

/** The words of each group of alternatives. */
function kindsOf({ words }: Profile): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { key } of words) {
    const kind = kindOf(key);
    if (kind !== undefined) found.set(kind, (found.get(kind) ?? new Set()).add(key));
  }
  return found;
}

/** Whether `now` names another of a group of alternatives: tea instead of coffee. */
export function hasOtherKind(now: Profile, before: Profile): boolean {
  const known = kindsOf(before);
  return [...kindsOf(now)].some(([group, keys]) => known.get(group)?.isDisjointFrom(keys) ?? false);
}

/** Whether `now` names a state that excludes the one before: closed, of what was open. */
export const hasOtherState = (now: Profile, before: Profile): boolean =>
  now.states.some(({ group, state }) => {
    const known = before.states.filter(one => one.group === group);
    return known.length > 0 && known.every(one => one.state !== state);
  });

const IS_FIGURE =
  /^(?:the user's|the) (?:[\p{L}-]+ ){1,3}?(?:is|are) (?:now |about |at |only )?\S+(?: (?:euros?|dollars?|percent|a month|per month|a year))?$/iu;
/** "Our discount is 15 percent", after "our discount is 10 percent". */
export const isOtherFigure = (now: Profile, before: Profile): boolean =>
  IS_FIGURE.test(now.text) && IS_FIGURE.test(before.text) && hasOtherValue(now, before, FIGURES);
