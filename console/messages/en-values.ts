/** The texts of the actions for values of a run. They are loaded with them. */
export const values = {
  row: "Row",
  rowToTree: (n: number) => `Show row ${n} in the tree`,
  text: "Text",
  views: { tree: "Show as tree", table: "Show as table", text: "Show as text" },
  pin: "Pin as sample",
  pinLead: "Keep this output as the sample of the step. The builder shows it, and tests use it.",
  pinned: (step: string) => `Pinned as the sample of ${step}`,
};
