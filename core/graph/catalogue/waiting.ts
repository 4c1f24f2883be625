import { z } from "zod";
import { CALLER_CREDENTIALS } from "../wait-data.ts";
import type { WordsOf } from "./words.ts";

const anything = z.unknown();

export const WAITING: WordsOf<"wait"> = {
  wait: {
    category: "flow",
    title: "Wait for a signal",
    summary: "Waits for a signal from outside.",
    docs:
      "Waits for a signal from outside. The signal has the name `event` and, if set, the `key`. A `POST` to the URL that `$resumeUrl` gives for the step also ends the wait. A person who opens the URL gets a page with a button. The step leaves by `received` (also `out`) or `timeout`. Its output " +
      "is `{data, receivedAt, source}`.",
    icon: "radio-receiver",
    keywords: ["signal", "event", "callback", "webhook", "resume", "wait", "external"],
    fields: {
      event: { title: "Signal", docs: "the name of the signal. Without it, only the URL of the step ends the wait" },
      key: { title: "Key", docs: "only signals with this key", widget: "expression" },
      schema: { title: "Schema", docs: "a JSON Schema that the signal's `data` must fit", widget: "jsonSchema" },
      expiresInMs: {
        title: "Expires after",
        docs: "after this time the step leaves by `timeout`",
        widget: "duration",
      },
      credential: {
        title: "Credential of the address",
        docs: "the id of a [credential](connections.md#use-a-credential) of the type `basic`, `bearer` or `header`, which callers of the URL must send. With the type `hmac`, they sign their calls with its key",
        widget: "credential",
        credentialType: CALLER_CREDENTIALS,
      },
      signature: {
        title: "Signatures of calls",
        docs: "how callers sign, with a credential of the type `hmac`: a preset or a scheme [as of a webhook](webhooks.md#recognise-the-sender)",
        group: "Signatures",
      },
      "signature.preset": { title: "Preset", docs: "the signatures of this service" },
      "signature.header": { title: "Header", docs: "without a preset: the header with the signature" },
      "signature.algorithm": { title: "Algorithm", docs: "`sha256` by default" },
      "signature.encoding": { title: "Encoding", docs: "`hex` by default" },
      "signature.prefix": { title: "Prefix", docs: "the text before the signature" },
      "signature.signed": { title: "Signed text", docs: "`body` by default, or `timestamp.body`" },
      "signature.timestampHeader": { title: "Header of the time", docs: "needed for `timestamp.body`" },
      "signature.separator": { title: "Separator", docs: "between time and body, `.` by default" },
      "signature.toleranceSeconds": {
        title: "Tolerance",
        docs: "the maximum difference between the signed time and the current time in seconds, 300 by default",
      },
    },
    handles: {
      received: { title: "Received", tone: "good" },
      out: { title: "Received", tone: "good", sameAs: "received" },
      timeout: { title: "Timed out" },
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
