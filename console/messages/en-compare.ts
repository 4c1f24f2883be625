/** The texts of what leads to saved views and to a comparison. */
export const compare = {
  views: { title: "Views" },
  compare: {
    open: "Compare",
    withFormer: "Compare with the run before",
  },
};
