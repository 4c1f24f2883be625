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
      items: { title: "Items", docs: "a list", widget: "expression" },
      concurrency: { title: "At a time", docs: "how many items run at a time, 1 to 50" },
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
    docs:
      "Runs its child nodes round after round. A node is a child when its `parentId` is the id of the loop. Each round carries " +
      "a value, which the children see as `loop.carry`, and its number from 0 as `loop.index`. The output is " +
      "`{carry, iterations}`: what the last round left, and the number of rounds.",
    icon: "rotate-cw",
    keywords: ["while", "until", "repeat", "do", "again", "poll", "pages", "paging", "retry", "iterate"],
    fields: {
      carry: { title: "Carry", docs: "what the first round carries; `null` if absent", widget: "expression" },
      while: {
        title: "While",
        docs: "evaluated before each round: the round runs if it is true. Give `while`, `until` or both",
        widget: "expression",
      },
      until: {
        title: "Until",
        docs: "evaluated after each round, with its steps and with what `next` gave: the loop ends if it is true",
        widget: "expression",
      },
      next: {
        title: "Next",
        docs: "evaluated after each round, with its steps: what the next round carries. Without it, the carry stays as it is",
        widget: "expression",
      },
      maxIterations: {
        title: "At most",
        docs: "the number of rounds, 1 to 10,000. A loop that would run more fails with `loop_limit`",
      },
      delayMs: { title: "Pause", docs: "milliseconds between two rounds. It holds no worker", widget: "duration" },
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
