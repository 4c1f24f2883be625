import { z } from "zod";
import { MAX_CASES } from "../node-data.ts";
import type { WordsOf } from "./words.ts";

const anything = z.unknown();

export const FLOW: WordsOf<"condition" | "switch" | "merge" | "delay"> = {
  condition: {
    category: "flow",
    title: "Condition",
    summary: "Chooses between two branches.",
    docs: "Chooses a branch. It leaves by `true` or `false`; its output is `{result}`.",
    icon: "split",
    keywords: ["if", "else", "branch", "check", "filter", "decide"],
    fields: { if: { title: "If", docs: "the condition, usually one expression", widget: "expression" } },
    handles: { true: { title: "Yes", tone: "good" }, false: { title: "No", tone: "bad" } },
    output: z.object({ result: z.boolean() }),
    defaults: { if: "{{ input }}" },
    examples: [
      {
        title: "Is the order large?",
        data: { if: "{{ input.total > 100 }}" },
        input: { total: 140 },
        sample: { result: true },
      },
    ],
  },
  switch: {
    category: "flow",
    title: "Switch",
    summary: "Chooses among several branches.",
    docs:
      "Chooses the first case that equals the value. It leaves by `case:<id>`, or by `default` if no case matches. " +
      "Its output is `{value, case}`.",
    icon: "waypoints",
    keywords: ["case", "route", "router", "branch", "match"],
    fields: {
      value: { title: "Value", docs: "the value to compare", widget: "expression" },
      cases: { title: "Cases", docs: "a list of `{id, equals}`" },
      "cases.id": { title: "Id", docs: "the name of the case, and of its handle `case:<id>`" },
      "cases.equals": { title: "Equals", docs: "the value of this case", widget: "expression" },
    },
    handlesFrom: { from: "cases", id: "case:{id}", plus: ["default"] },
    output: z.object({ value: anything, case: z.string() }),
    limits: { cases: MAX_CASES },
    defaults: { value: "{{ input }}", cases: [] },
    examples: [
      {
        title: "By the way of payment",
        data: {
          value: "{{ input.method }}",
          cases: [
            { id: "card", equals: "card" },
            { id: "bill", equals: "invoice" },
          ],
        },
        input: { method: "invoice" },
        sample: { value: "invoice", case: "bill" },
      },
    ],
  },
  merge: {
    category: "flow",
    title: "Merge",
    summary: "Joins branches.",
    docs: "Joins branches. Its output is an object with one entry per source node.",
    icon: "merge",
    keywords: ["join", "wait", "combine", "all", "any", "race"],
    fields: {
      mode: {
        title: "Mode",
        docs: "`all` waits for every branch that was taken. `any` continues with the first one",
      },
    },
    output: z.record(z.string(), anything),
    defaults: { mode: "all" },
    examples: [{ title: "Wait for all branches", data: { mode: "all" }, input: 7, sample: { before: 7 } }],
  },
  delay: {
    category: "flow",
    title: "Delay",
    summary: "Waits.",
    docs: "Waits. Its output is its input. A delay of more than a second holds no worker. Give either `ms` or `until`.",
    icon: "hourglass",
    keywords: ["wait", "sleep", "pause", "timer", "later", "until"],
    fields: {
      ms: { title: "For", docs: "the time in milliseconds", hint: "", widget: "duration" },
      until: { title: "Until", docs: "a time in ISO 8601", widget: "expression" },
    },
    output: anything,
    waits: true,
    defaults: { ms: 60_000 },
    examples: [
      { title: "Wait a moment", data: { ms: 20 }, input: { order: 7 }, sample: { order: 7 } },
      {
        title: "Wait for a time that the input names",
        data: { until: "{{ input.at }}" },
        input: { at: "2024-05-01T09:00:00Z" },
        sample: { at: "2024-05-01T09:00:00Z" },
      },
    ],
  },
};
