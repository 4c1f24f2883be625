import { z } from "zod";
import type { WordsOf } from "./words.ts";

const anything = z.unknown();

export const START_AND_END: WordsOf<"trigger" | "respond" | "fail"> = {
  trigger: {
    category: "start",
    title: "Trigger",
    summary: "Passes the input of the run on.",
    docs: "Marks the start of the workflow. Its output is the input of the run.",
    icon: "play",
    keywords: ["start", "begin", "input", "webhook", "schedule", "manual"],
    fields: { example: { title: "Example input", docs: "an example input, shown to callers" } },
    output: anything,
    defaults: {},
    examples: [
      {
        title: "An order comes in",
        data: { example: { order: 7, total: 40 } },
        input: { order: 7, total: 40 },
        sample: { order: 7, total: 40 },
      },
    ],
  },
  respond: {
    category: "end",
    title: "Respond",
    summary: "Sets the answer of a waiting caller.",
    docs: "Sets the response to a caller that waits for the run, such as the sender of a [webhook](webhooks.md#respond-to-the-sender). Its output is the body.",
    icon: "reply",
    keywords: ["answer", "response", "return", "webhook", "http", "reply"],
    fields: {
      status: { title: "Status", docs: "the status, 200 to 599" },
      headers: { title: "Headers", docs: "response headers", widget: "keyValue" },
      body: { title: "Body", docs: "the body, any JSON", widget: "expression" },
    },
    output: anything,
    defaults: { status: 200, body: "{{ input }}" },
    examples: [
      {
        title: "Tell the sender that the order is accepted",
        data: {
          status: 202,
          headers: { Location: "/orders/{{ input.order }}" },
          body: { accepted: "{{ input.order }}" },
        },
        input: { order: 7 },
        sample: { accepted: 7 },
      },
    ],
  },
  fail: {
    category: "end",
    title: "Fail",
    summary: "Ends the run as failed.",
    docs: "Ends the run as failed with this code and message.",
    icon: "octagon-x",
    keywords: ["error", "stop", "abort", "throw", "end"],
    fields: {
      message: { title: "Message", docs: "the error message", widget: "text" },
      code: { title: "Code", docs: "the error code, for programs" },
    },
    handles: {},
    output: z.never(),
    defaults: { message: "" },
    examples: [
      {
        title: "Nothing is left in stock",
        data: { message: "There is no {{ input.part }} left.", code: "out_of_stock" },
        input: { part: "bell" },
        sample: null,
      },
    ],
  },
};
