/** The texts of the command palette. The first page does not load them. */
export const words = {
  nothing: "Nothing matches",
  commands: "Commands",
  steps: "Steps",
  runsOf: (name: string) => `Runs of ${name}`,
  notAll: "A part of the workspace did not answer, so there may be more.",
};
