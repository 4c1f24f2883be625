import { m } from "./index.ts";

const steps = (n: number) => `${m.number(n)} ${n === 1 ? "step" : "steps"}`;

/** The texts of the dialog before a retry. */
export const retry = {
  title: "Retry this run?",
  lead: (version: number) => `A new run starts with version ${version}. This one stays as it is.`,
  runs: (n: number) => `${steps(n)} ${n === 1 ? "runs" : "run"}`,
  continued: (n: number) =>
    `${steps(n)} ${n === 1 ? "goes" : "go"} on, and ${n === 1 ? "keeps" : "keep"} what is finished`,
  kept: (n: number) => `${steps(n)} ${n === 1 ? "keeps its result" : "keep their results"}`,
  more: (n: number) => `and ${m.number(n)} more`,
  invalid: "This version cannot run: its definition has faults.",
  start: "Retry",
  version: "Version",
  versions: { original: "As it ran", latest: "Newest" },
};
