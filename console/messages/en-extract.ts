/** The texts of the dialog that turns a selection into a workflow. They are loaded when it opens. */
export const words = {
  title: "Make the selection a workflow",
  act: "Make workflow",
  name: "Name of the workflow",
  text: (n: number) =>
    `${n === 1 ? "The step moves" : `${n} steps move`} to a workflow of their own. One step that runs it takes their place.`,
  reads: "It is handed in",
  refusal: {
    none: "Select the steps first.",
    start: "The step that starts the run cannot move. Select the steps behind it.",
    level: "Steps of one level can move together: all inside of the same container, or all outside.",
    entries: "Threads lead into the selection at several steps. Select steps that are entered at one.",
    exits: "Threads leave the selection at several steps, or by a branch. Select steps that end at one.",
    names:
      "Other steps read outputs in the middle of the selection. Only the output of its last step can be read from outside.",
  },
};
