/** The texts of the palette, which the first page does not load. */
export const words = {
  nothing: "Nothing matches",
  commands: "Commands",
  steps: "Steps",
  runsOf: (name: string) => `Runs of ${name}`,
  notAll: "A part of the workspace did not answer, so there may be more.",
};
