/** The texts of the dialog that turns a selection into a workflow. They are loaded when it opens. */
export const words = {
  title: "Turn the selection into a workflow",
  act: "Create workflow",
  name: "Name of the workflow",
  text: (n: number) =>
    `${n === 1 ? "The step moves" : `${n} steps move`} to a workflow of their own. One step that runs it takes their place.`,
  reads: "It is handed in",
  readBy: (reader: string, read: string) => `“${reader}” reads “${read}”`,
  refusal: {
    none: "Select the steps first.",
    start: "The step that starts the run cannot move. Select the steps after it.",
    level: "Steps of one level can move together: all inside of the same container, or all outside.",
    entries: "Connections lead to several steps of the selection. Select steps that have one entry.",
    exits: "Connections leave several steps of the selection, or a branch. Select steps that have one exit.",
    names:
      "Other steps read outputs in the middle of the selection. Only the output of its last step can be read from outside.",
  },
};
