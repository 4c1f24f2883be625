const plurals = new Intl.PluralRules("en");
const numbers = new Intl.NumberFormat("en");

/** The texts of the log of a run, and of the log and the attempts of one step. */
export const logTexts = {
  search: "Search messages",
  step: "Step",
  everyStep: "All steps",
  item: "Item",
  everyItem: "All items",
  onlyItem: "Show only the entries of this item. I does the same for the current entry.",
  follow: "Follow",
  followHint: "Stay at the newest entries",
  download: "Download",
  level: "Entries shown",
  all: "All",
  problems: "Problems",
  none: "Nothing is logged yet",
  noProblems: "No warnings and no errors",
  noMatch: "No entry matches",
  clear: "Show all entries",
  newest: (n: number) => `The newest ${numbers.format(n)} entries are shown.`,
  more: "Load more",
  ofStep: "Log",
  attempts: "Attempts",
  attempt: (n: number, of: number | null) =>
    of === null ? `Attempt ${numbers.format(n)}` : `Attempt ${numbers.format(n)} of ${numbers.format(of)}`,
  outcome: {
    running: "Under way",
    completed: "Completed",
    retrying: "Failed, tried again",
    failed: "Failed",
    ended: "Not finished",
  },
  began: "Began",
  took: "Took",
  turns: "Turns",
  writing: "What the model is writing",
  tokens: (read: number, written: number) =>
    `${numbers.format(read)} ${plurals.select(read) === "one" ? "token" : "tokens"} read, ${numbers.format(written)} written`,
  given: "Arguments",
  result: "Result",
  childRun: "Its run",
  open: "Open",
  openChild: "Open the run that it started",
  entries: (n: number) => `${numbers.format(n)} ${plurals.select(n) === "one" ? "entry" : "entries"}`,
};
