/** The texts of the links to saved views and to comparisons. */
export const compare = {
  views: { title: "Views" },
  compare: {
    open: "Compare",
    withFormer: "Compare with the previous run",
  },
};
