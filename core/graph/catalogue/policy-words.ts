import type { FieldWords } from "./words.ts";

/** The fields of a policy. */
export const POLICY_WORDS: Record<string, FieldWords> = {
  retry: { title: "Retry", docs: "when Weft repeats a failed attempt" },
  "retry.maxAttempts": { title: "Attempts", docs: "1 to 100 attempts; 1 means no retry" },
  "retry.backoff": { title: "Backoff", docs: "`exponential` doubles the wait each time, `fixed` keeps it" },
  "retry.initialMs": { title: "Initial wait", docs: "the first wait in milliseconds", hint: "", widget: "duration" },
  "retry.maxMs": { title: "Maximum wait", docs: "the longest wait", widget: "duration" },
  "retry.jitter": { title: "Jitter", docs: "the random share by which each wait varies" },
  timeoutMs: {
    title: "Time limit",
    docs: "the time limit of one attempt, which then fails with `step_timeout`. Does not apply to delays, waits for people or signals, maps and loops",
    widget: "duration",
  },
  onError: {
    title: "On error",
    docs: "`fail` ends the run. `continue` continues with the output `{error: {code, message}}`. `route` leaves by `error` with that output",
  },
  compensate: {
    title: "Compensation",
    docs: "the id of the step that undoes this one if the run fails: see [compensation](steps.md#compensation)",
  },
};

/** The fields of a definition's `settings`. */
export const SETTINGS_WORDS: Record<string, FieldWords> = {
  concurrency: { title: "Concurrency", docs: "how many runs may be in progress at a time" },
  "concurrency.limit": {
    title: "Maximum number of runs",
    docs: "the maximum number of concurrent runs, including those that wait",
  },
  "concurrency.key": { title: "Concurrency key", docs: "counts only runs with the same key", widget: "expression" },
  "concurrency.onLimit": {
    title: "Beyond the limit",
    docs: "what happens to a run beyond the limit: `queue` lets it wait, `skip` cancels it, `cancel_oldest` cancels the oldest run",
  },
  timeoutMs: {
    title: "Time limit",
    docs: "the time limit of a run in milliseconds. It starts with the first step and includes waits. A longer run fails with `execution_timeout`",
    hint: "starts with the first step and includes waits. A longer run fails with `execution_timeout`",
    widget: "duration",
  },
  errorWorkflowId: {
    title: "On failure run",
    docs:
      "Weft starts this workflow once for each failed run, with the failed run as input. Failures of the error workflow " +
      "itself start nothing",
    widget: "workflow",
  },
  key: {
    title: "Key",
    docs: "the key of each run, such as `{{ input.orderId }}`. At most one open run of a workflow has a given key",
    widget: "expression",
  },
  onConflict: {
    title: "When the key is taken",
    docs: "what a start does while a run with the key is open: `return` gives that run, `reject` fails, `cancel` cancels that run first",
  },
  labels: {
    title: "Labels",
    docs: "up to 20 labels of a run, each a name with a short text. Lists of runs filter by them",
    widget: "expression",
  },
  inputSchema: {
    title: "Input",
    docs:
      "a JSON Schema (draft 2020-12) of an object, up to 32 KiB. Weft refuses to start a run with other input: 400 with " +
      "the path of each fault",
    widget: "jsonSchema",
  },
};
