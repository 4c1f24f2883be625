import type { Template } from "../../sdk/definition.ts";

export type { Template } from "../../sdk/definition.ts";

/** The templates that a new workspace offers first: one needs no setup, one calls an address, and one receives data. */
export const FIRST_TEMPLATES = {
  ask: "01993d00-0000-7000-8000-000000000001",
  watch: "01993d00-0000-7000-8000-000000000011",
  form: "01993d00-0000-7000-8000-000000000007",
} as const;

/** What a template needs besides Weft, in the order in which the page lists it. */
export const NEEDS = ["model", "tool", "address", "knowledge", "workflow"] as const;
export type Need = (typeof NEEDS)[number];

const OF_TYPES: Readonly<Record<string, Need>> = {
  llm: "model",
  agent: "model",
  tool: "tool",
  http: "address",
  retriever: "knowledge",
  subworkflow: "workflow",
};

/** What must be set up before steps of these types can run. */
export const needsOf = (types: Iterable<string>): Need[] => {
  const found = new Set([...types].flatMap(type => OF_TYPES[type] ?? []));
  return NEEDS.filter(need => found.has(need));
};

/**
 * The description as plain text, without the part about the input, because the page shows the input as an example.
 */
export const summaryOf = ({ description }: Pick<Template, "description">): string =>
  description.replace(/ (Made for|Input:) .*$/s, "").replaceAll("`", "");
