import { count, numberText } from "./count.ts";

const steps = (n: number) => count(n, "more step", "more steps");

/** The texts of a graph that is larger than its canvas. */
export const graphTexts = {
  more: (n: number) => `${numberText(n)} more`,
  beyond: {
    left: (n: number) => `${steps(n)} to the left`,
    right: (n: number) => `${steps(n)} to the right`,
    top: (n: number) => `${steps(n)} above`,
    bottom: (n: number) => `${steps(n)} below`,
  },
};
