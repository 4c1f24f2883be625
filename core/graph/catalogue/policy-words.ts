import type { FieldWords } from "./words.ts";

/** The fields of a policy. */
export const POLICY_WORDS: Record<string, FieldWords> = {
  retry: { title: "Retry", docs: "when a failed attempt is repeated" },
  "retry.maxAttempts": { title: "Attempts", docs: "1 to 100 attempts; 1 means no retry" },
  "retry.backoff": { title: "Backoff", docs: "doubles the wait each time; `fixed` keeps it" },
  "retry.initialMs": { title: "First wait", docs: "the first wait in milliseconds", widget: "duration" },
  "retry.maxMs": { title: "Longest wait", docs: "the longest wait", widget: "duration" },
  "retry.jitter": { title: "Jitter", docs: "a random share by which each wait differs" },
  timeoutMs: {
    title: "Time limit",
    docs: "the limit of one attempt, which then fails with `step_timeout`. Not for delays, people and maps",
    widget: "duration",
  },
  onError: {
    title: "On error",
    docs:
      "`fail` ends the run; `continue` goes on with `{error: {code, message}}`; `route` leaves by `error` with that " +
      "output",
  },
};

/** The fields of a definition's `settings`. */
export const SETTINGS_WORDS: Record<string, FieldWords> = {
  concurrency: { title: "Runs at a time", docs: "how many runs may be in progress at a time" },
  "concurrency.limit": { title: "At most", docs: "1 to 1,000 runs" },
  "concurrency.key": {
    title: "Counted by",
    docs: "an expression; runs for which it gives the same text are counted together",
    widget: "expression",
  },
  "concurrency.onLimit": {
    title: "Beyond it",
    docs: "`queue` lets a run wait, `skip` does not start it, `cancel_oldest` cancels the oldest run",
  },
  timeoutMs: {
    title: "Time limit",
    docs: "a run that takes longer fails. The time in which it waits counts too",
    widget: "duration",
  },
  errorWorkflowId: {
    title: "On failure run",
    docs: "the workflow that is started for each failed run, with that run as its input",
    widget: "workflow",
  },
  inputSchema: {
    title: "Input",
    docs: "the JSON Schema of the input of a run that a user starts, and of the tool that the deployed workflow is",
    widget: "jsonSchema",
  },
};
