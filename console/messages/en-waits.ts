import { m } from "./index.ts";

const and = new Intl.ListFormat("en", { type: "conjunction" });

/** The service stops counting runs at this number. */
const MAX_COUNTED = 10_000;

/** The texts about what a run waits for, and about missing runs. */
export const waits = {
  queued: "In the queue",
  place: (before: number) =>
    before === 0
      ? "It is the next one."
      : before < MAX_COUNTED
        ? `${m.count(before, "run", "runs")} ${before === 1 ? "is" : "are"} before it.`
        : `More than ${m.number(before)} runs are before it.`,
  why: {
    worker: "It starts when a worker is free.",
    workspace_limit: "The workspace has reached its limit of runs. It starts when one of them ends or waits.",
    workflow_limit: "Its workflow has reached the limit of runs in its settings. It starts when one of them ends.",
  },
  asks: (names: readonly string[]) => `Asks ${and.format(names)}`,
  asked: "asked",
  answerAll: (n: number) => `Answer all ${m.number(n)}`,
  questions: (n: number) => m.count(n, "question", "questions"),
  began: "started",
  signal: "Waits for the signal",
  key: "with the key",
  call: "Waits for a call to its address",
  copyAddress: "Copy the address",
  addressHint: "A call to this address ends the wait",
  addressCopied: "Address copied",
  addressNotCopied: "Copy the address yourself",
  ends: "ends",
  goesOn: "continues",
  /** What a waiting step does when this time is over. */
  within: {
    event: (left: string) => `Ends in ${left}`,
    answer: (left: string) => `Ends in ${left}`,
    delay: (left: string) => `Continues in ${left}`,
    retry: (left: string) => `Next attempt in ${left}`,
    child: (left: string) => `Ends in ${left}`,
  },
  removed: (days: number) =>
    `The run may have been removed: runs are kept for ${m.count(days, "day", "days")} after their end.`,
  startedOn: (date: string, earliest: string) =>
    `It started on ${date}, so it was removed on ${earliest} at the earliest.`,
};
