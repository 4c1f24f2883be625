import { z } from "zod";
import type { WordsOf } from "./words.ts";

const anything = z.unknown();

export const WAITING: WordsOf<"wait"> = {
  wait: {
    category: "flow",
    title: "Wait for a signal",
    summary: "Waits for a signal from outside.",
    docs:
      "Waits for a signal from outside. The signal has the name `event` and, if set, the `key`. A `POST` to the URL that " +
      "`$resumeUrl` gives for the step also ends the wait; a person who opens the URL gets a page with a button. The step leaves by `received` (also `out`) or `timeout`. Its output " +
      "is `{data, receivedAt, source}`.",
    icon: "radio-receiver",
    keywords: ["signal", "event", "callback", "webhook", "resume", "wait", "external"],
    fields: {
      event: { title: "Signal", docs: "the name of the signal. Without it, only the step's own address ends the wait" },
      key: { title: "Key", docs: "only signals with this key", widget: "expression" },
      schema: { title: "Schema", docs: "a JSON Schema that the signal's `data` must fit", widget: "jsonSchema" },
      expiresInMs: {
        title: "Expires after",
        docs: "after this time the step leaves by `timeout`",
        widget: "duration",
      },
      credential: {
        title: "Credential of the address",
        docs:
          "the id of a [credential](connections.md#use-a-credential) of the type `basic`, `bearer` or `header`: callers of the " +
          "step's own address must send it",
        widget: "credential",
        credentialType: ["basic", "bearer", "header"],
      },
    },
    handles: {
      received: { title: "Received", tone: "good" },
      out: { title: "Received", tone: "good", sameAs: "received" },
      timeout: { title: "Nothing came" },
    },
    output: z.object({
      data: anything.meta({ "x-weft": { schemaFrom: "/schema" } }),
      receivedAt: z.string().nullable(),
      source: z.enum(["signal", "link"]).nullable(),
    }),
    waits: true,
    defaults: { event: "" },
    examples: [
      {
        title: "Wait for the payment of an order",
        data: { event: "payment", key: "{{ input.order }}", expiresInMs: 86_400_000 },
        input: { order: "A-7" },
        sample: { data: { paid: true }, receivedAt: "2024-05-01T09:00:00.000Z", source: "signal" },
      },
    ],
  },
};
