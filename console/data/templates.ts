import type { Template } from "../../sdk/definition.ts";

export type { Template } from "../../sdk/definition.ts";

/** The templates that a new workspace may begin with: one needs nothing, one calls an address, one takes in what is sent. */
export const FIRST_TEMPLATES = {
  ask: "01993d00-0000-7000-8000-000000000001",
  watch: "01993d00-0000-7000-8000-000000000011",
  form: "01993d00-0000-7000-8000-000000000007",
} as const;

/** What a template needs beside Weft itself, in this order. */
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

/** What has to be set up before the steps of these types can run. */
export const needsOf = (types: Iterable<string>): Need[] => {
  const found = new Set([...types].flatMap(type => OF_TYPES[type] ?? []));
  return NEEDS.filter(need => found.has(need));
};

/** A description without what it says of its input, which its page shows as an example. */
export const summaryOf = ({ description }: Pick<Template, "description">): string =>
  description.replace(/ (Made for|Input:) .*$/s, "");
