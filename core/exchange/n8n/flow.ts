/** The same value in both languages: JSONata over the step's scope, and JavaScript over `input`, `steps` and `item`. */
export interface Expressions {
  jsonata: string;
  js: string;
}

/** The output of an n8n node, as Weft has it: the `json` of its item, or a list of these. */
export interface Source extends Expressions {
  /** True if the step behind the value has run; null if the value always exists. */
  guard: Expressions | null;
  /** The value's fields, if they are known and stored elsewhere. The value has no other fields then. */
  fields?: Record<string, Expressions>;
  /** Fields of the value that JavaScript cannot see. */
  hiddenFromCode?: readonly string[];
  /** The value has several items. n8n would run the next node once for each. */
  list: boolean;
}

/** A source, or the reason why it cannot be determined. */
export type Flow = Source | { why: string };

const MAX_CHOICES = 10;
const MAX_LENGTH = 2_000;

export const RUN_INPUT: Source = { jsonata: "input", js: "input", guard: null, list: false };
export const MAP_ITEM: Source = { jsonata: "item", js: "item", guard: null, list: false };

/** The output of the step with this id; ids are plain names. */
export const stepPlace = (id: string): Expressions => ({ jsonata: `steps.${id}`, js: `steps.${id}` });

export const hasRun = (id: string): Expressions => ({
  jsonata: `$exists(steps.${id})`,
  js: `steps.${id} !== undefined`,
});

export const stepOutput = (id: string, list = false): Source => ({ ...stepPlace(id), guard: hasRun(id), list });

export const below = (place: Expressions, name: string): Expressions => ({
  jsonata: `${place.jsonata}.${name}`,
  js: `${place.js}?.${name}`,
});

export const isKnown = (flow: Flow): flow is Source => !("why" in flow);

/** The same value in both languages, from a function that writes it. */
export const inBoth = (write: (language: "jsonata" | "js") => string): Expressions => ({
  jsonata: write("jsonata"),
  js: write("js"),
});

/** Whether at least one of these values exists; null if that is certain. */
function anyOf(guards: readonly (Expressions | null)[]): Expressions | null {
  const known = [...new Map(guards.map(guard => [guard?.jsonata, guard])).values()];
  if (known.length < 2 || known.includes(null)) return known.includes(null) ? null : (known[0] ?? null);
  return inBoth(language => `(${known.map(guard => guard?.[language]).join(language === "js" ? " || " : " or ")})`);
}

/** The flows without duplicates. A value that arrives on several ways exists if one of them was taken. */
function distinct(flows: readonly Flow[]): Flow[] {
  const byText = Map.groupBy(flows, flow => (isKnown(flow) ? flow.jsonata : `!${flow.why}`));
  return [...byText.values()].map(same => {
    const [first] = same as [Flow];
    return isKnown(first) ? { ...first, guard: anyOf(same.filter(isKnown).map(({ guard }) => guard)) } : first;
  });
}

/** The value of the flow whose step has run. At most one of these steps runs. */
export function oneOf(flows: readonly Flow[]): Flow {
  const choices = distinct(flows);
  if (choices.length === 0) return { why: "no node leads to it" };
  if (choices.length === 1) return choices[0]!;
  const known = choices.filter(isKnown);
  if (known.length < choices.length) return choices.find(flow => !isKnown(flow))!;
  if (known.length > MAX_CHOICES) return { why: "too many branches lead to it" };
  if (known.some(({ list }) => list)) return { why: "one of the branches that lead to it carries several items" };
  const always = known.find(({ guard }) => guard === null);
  const last = always ?? known.at(-1)!;
  const others = known.filter(source => source !== last);
  const choice = inBoth(
    language => `(${others.map(one => `${one.guard?.[language]} ? ${one[language]} : `).join("")}${last[language]})`,
  );
  if (choice.jsonata.length > MAX_LENGTH) return { why: "too many branches lead to it" };
  return { ...choice, guard: anyOf(known.map(({ guard }) => guard)), list: false };
}

/**
 * Merges the items of several values, or of lists of them, into one list. The parentheses keep it one level deep when
 * it becomes a part of another list.
 */
export function listOf(values: readonly Expressions[]): Expressions {
  const text = (language: "jsonata" | "js") => values.map(value => value[language]).join(", ");
  return { jsonata: `([${text("jsonata")}])`, js: `[${text("js")}].flat().filter(one => one !== undefined)` };
}
