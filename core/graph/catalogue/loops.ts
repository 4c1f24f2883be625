import { z } from "zod";
import { MAX_ROUNDS } from "../node-data.ts";
import type { WordsOf } from "./words.ts";

const anything = z.unknown();

export const LOOPS: WordsOf<"map" | "loop"> = {
  map: {
    category: "flow",
    title: "Map",
    summary: "Runs steps for each item of a list.",
    docs:
      "Runs its child nodes for each item. A node is a child when its `parentId` is the id of the map. The output is the " +
      "list of the children's outputs, in the order of the items.",
    icon: "repeat",
    keywords: ["loop", "each", "for", "iterate", "items", "list", "batch"],
    fields: {
      items: { title: "Items", docs: "the list", widget: "expression" },
      concurrency: { title: "Items at a time", docs: "how many items run at a time, 1 to 50" },
    },
    output: z.array(anything),
    waits: true,
    limits: { items: 10_000, nesting: 5 },
    defaults: { items: "{{ input }}", concurrency: 1 },
    examples: [
      {
        title: "For each line of an order",
        data: { items: "{{ input.lines }}", concurrency: 5 },
        input: { lines: [{ part: "bell" }, { part: "wheel" }] },
        sample: [{ part: "bell" }, { part: "wheel" }],
      },
    ],
  },
  loop: {
    category: "flow",
    title: "Loop",
    summary: "Repeats steps until a condition holds.",
    docs: "Runs its child nodes in rounds. A node is a child when its `parentId` is the id of the loop. Each round carries a value. The children read it as `loop.carry`, and the number of the round, from 0, as `loop.index`. The output is `{carry, iterations}`: the value after the last round, and the number of rounds.",
    icon: "rotate-cw",
    keywords: ["while", "until", "repeat", "do", "again", "poll", "pages", "paging", "retry", "iterate"],
    fields: {
      carry: {
        title: "Carry",
        docs: "the value that the first round carries. The default is `null`",
        widget: "expression",
      },
      while: {
        title: "While",
        docs: "a condition that Weft evaluates before each round: the round runs if it is true. Give `while`, `until` or both",
        widget: "expression",
      },
      until: {
        title: "Until",
        docs: "a condition that Weft evaluates after each round, with its steps and the value of `next`: the loop ends if it is true",
        widget: "expression",
      },
      next: {
        title: "Next",
        docs: "the value that the next round carries. Weft evaluates it after each round, with its steps. By default, the carry does not change",
        widget: "expression",
      },
      maxIterations: {
        title: "Maximum number of rounds",
        docs: "the maximum number of rounds, 1 to 10,000. A loop that needs more fails with `loop_limit`",
      },
      delayMs: {
        title: "Pause",
        docs: "milliseconds between two rounds. The wait holds no worker",
        hint: "between two rounds. The wait holds no worker",
        widget: "duration",
      },
    },
    output: z.object({ carry: anything, iterations: z.int().min(0) }),
    waits: true,
    limits: { maxIterations: MAX_ROUNDS, nesting: 5 },
    defaults: { until: "{{ loop.index >= 2 }}", maxIterations: 100 },
    examples: [
      {
        title: "Double a number until it is over 100",
        data: { carry: "{{ input.from }}", while: "{{ loop.carry <= 100 }}", next: "{{ loop.carry * 2 }}" },
        input: { from: 7 },
        sample: { carry: 112, iterations: 4 },
      },
      {
        title: "Repeat five times",
        data: { while: "{{ loop.index < 5 }}" },
        input: {},
        sample: { carry: null, iterations: 5 },
      },
    ],
  },
};
