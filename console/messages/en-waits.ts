import { m } from "./index.ts";

const and = new Intl.ListFormat("en", { type: "conjunction" });

/** What a run waits for, and why a run is not there any more. */
export const waits = {
  queued: "In the queue",
  place: (before: number) =>
    before === 0
      ? "It is the next one of this workspace."
      : `${m.count(before, "run", "runs")} of this workspace ${before === 1 ? "is" : "are"} before it.`,
  many: (before: number) => `More than ${m.number(before)} runs of this workspace are before it.`,
  why: "It starts when a worker is free and its workflow may have one more run at once.",
  asks: (names: readonly string[]) => `Asks ${and.format(names)}`,
  asked: "asked",
  began: "began",
  signal: "Waits for the signal",
  key: "with the key",
  call: "Waits for a call of its address",
  copyAddress: "Copy the address",
  addressHint: "Whoever calls this address ends the wait",
  addressCopied: "The address is copied",
  addressNotCopied: "Copy the address yourself",
  ends: "ends",
  goesOn: "goes on",
  removed: (days: number) =>
    `The run may have been removed: runs are kept for ${m.count(days, "day", "days")} after their end.`,
  startedOn: (date: string) => `It began on ${date}.`,
};
