import { count } from "./count.ts";

/** The texts of the search in a run. They are a separate module, so that the first page does not load them. */
export const find = {
  title: "Find in this run",
  field: "Find in the input, outputs and errors",
  none: "This run does not contain this text",
  hint: "Finds texts, numbers and names of fields in the run’s input and in the outputs and errors of all steps.",
  found: (n: number, complete: boolean) =>
    complete ? count(n, "place", "places") : `${count(n, "place", "places")}, and more`,
  ofRun: "Input of the run",
  in: { input: "Input", output: "Output", error: "Error" },
  results: "Places",
};
