import { z } from "zod";
import { MAX_CODE_LENGTH, MAX_GLOBALS_LENGTH, MAX_LOG_LINES, MEMORY_MIB } from "../../code/limits.ts";
import type { WordsOf } from "./words.ts";

const anything = z.unknown();

export const DATA_AND_PEOPLE: WordsOf<"transform" | "code" | "human" | "notify"> = {
  transform: {
    category: "data",
    title: "Transform",
    summary: "Computes a value.",
    docs: "Computes a value from earlier outputs. Its output is that value.",
    icon: "braces",
    keywords: ["set", "edit", "fields", "compute", "jsonata", "map", "value"],
    fields: { value: { title: "Value", docs: "any JSON; strings may hold expressions", widget: "expression" } },
    output: anything,
    defaults: { value: "{{ input }}" },
    examples: [
      {
        title: "The sum of an order",
        data: { value: { total: "{{ $sum(input.lines.(price * count)) }}", currency: "EUR" } },
        input: {
          lines: [
            { price: 4, count: 2 },
            { price: 10, count: 1 },
          ],
        },
        sample: { total: 18, currency: "EUR" },
      },
    ],
  },
  code: {
    category: "data",
    title: "Code",
    summary: "Runs JavaScript in a sandbox.",
    docs:
      "Runs JavaScript. `code` is the body of an async function over `input`, `steps`, `item` and `index`; its output is " +
      "what the function returns. Braces in the code are not expressions.",
    icon: "code",
    keywords: ["javascript", "js", "script", "function", "program"],
    fields: { code: { title: "Code", docs: "the JavaScript, up to 64 KiB", widget: "code" } },
    output: anything,
    limits: {
      codeChars: MAX_CODE_LENGTH,
      inputChars: MAX_GLOBALS_LENGTH,
      memoryBytes: MEMORY_MIB * 1024 * 1024,
      logLines: MAX_LOG_LINES,
    },
    defaults: { code: "return input;" },
    examples: [
      {
        title: "Count words",
        data: { code: "const words = input.text.split(/\\s+/);\nreturn { words: words.length };" },
        input: { text: "one two three" },
        sample: { words: 3 },
      },
    ],
  },
  notify: {
    category: "people",
    title: "Notify",
    summary: "Notifies members of the workspace.",
    docs: "Notifies members of the workspace. Its output is `{notified}`, their number. Give either `userIds` or `role`.",
    icon: "bell",
    keywords: ["message", "tell", "alert", "inform", "members"],
    fields: {
      title: { title: "Title", docs: "the title, up to 200 characters" },
      body: { title: "Body", docs: "the text, up to 10,000 characters", widget: "text" },
      userIds: { title: "Members", docs: "the members", widget: "members" },
      role: { title: "Role", docs: "all members with this role", widget: "role" },
    },
    output: z.object({ notified: z.int().min(0) }),
    defaults: { title: "", body: "", role: "admin" },
    examples: [
      {
        title: "Tell the owner",
        data: { title: "Order {{ input.order }}", body: "It is on its way.", role: "owner" },
        input: { order: 7 },
        sample: { notified: 1 },
      },
    ],
  },
  human: {
    category: "people",
    title: "Ask a person",
    summary: "Asks a person.",
    docs:
      "Asks a person and suspends the run. It leaves by `approved` (also `out`), `rejected` or `timeout`. Its output is " +
      "`{approved, data, respondedBy, respondedAt}`.",
    icon: "user-check",
    keywords: ["approve", "approval", "question", "form", "wait", "review", "human"],
    fields: {
      prompt: { title: "Question", docs: "the question", hint: "", widget: "text" },
      form: {
        title: "Form",
        docs: "a JSON Schema that the answer's `data` must fit",
        hint: "what the person fills in; later steps read it in `data`",
        widget: "jsonSchema",
      },
      assignees: {
        title: "Who is asked",
        docs: "the ids of the users to notify, and with `allowLinks` also e-mail addresses. By default, Weft notifies all editors",
        hint: "who is notified. Without a choice, editors are notified",
        widget: "members",
      },
      allowLinks: {
        title: "Links in mails",
        docs: "mails about the question contain a signed link that answers it once, without a sign-in",
      },
      expiresInMs: {
        title: "Expires after",
        docs: "after this time the step leaves by `timeout`",
        widget: "duration",
      },
    },
    handles: {
      approved: { title: "Yes", tone: "good" },
      out: { title: "Yes", tone: "good", sameAs: "approved" },
      rejected: { title: "No", tone: "bad" },
      timeout: { title: "Timed out" },
    },
    output: z.object({
      approved: z.boolean(),
      data: anything.meta({ "x-weft": { schemaFrom: "/form" } }),
      respondedBy: z.string().nullable(),
      respondedAt: z.string().nullable(),
    }),
    waits: true,
    limits: { formChars: 32_768 },
    defaults: { prompt: "" },
    examples: [
      {
        title: "May this expense be paid?",
        data: {
          prompt: "May {{ input.who }} spend {{ input.amount }}?",
          form: { type: "object", properties: { reason: { type: "string" } } },
          expiresInMs: 86_400_000,
        },
        input: { who: "Ada", amount: 40 },
        sample: {
          approved: true,
          data: { reason: "As planned" },
          respondedBy: "01890000-0000-7000-8000-000000000003",
          respondedAt: "2024-05-01T09:00:00.000Z",
        },
      },
    ],
  },
};
