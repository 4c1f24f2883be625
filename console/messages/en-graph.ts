const plurals = new Intl.PluralRules("en");
const numbers = new Intl.NumberFormat("en");
const steps = (n: number) => `${numbers.format(n)} more ${plurals.select(n) === "one" ? "step" : "steps"}`;

/** The texts of a graph that is larger than its canvas. */
export const graphTexts = {
  more: (n: number) => `${numbers.format(n)} more`,
  beyond: {
    left: (n: number) => `${steps(n)} to the left`,
    right: (n: number) => `${steps(n)} to the right`,
    top: (n: number) => `${steps(n)} above`,
    bottom: (n: number) => `${steps(n)} below`,
  },
};
