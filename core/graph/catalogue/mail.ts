import { z } from "zod";
import { MAX_RECIPIENTS } from "../mail-data.ts";
import { EXAMPLE_ID, type WordsOf } from "./words.ts";

const MORE = "More of the mail";

export const MAIL: WordsOf<"email"> = {
  email: {
    category: "outside",
    title: "E-mail",
    summary: "Sends an e-mail.",
    docs: "Sends an e-mail through your own mail server. Its output is `{messageId, accepted, rejected}`.",
    icon: "mail",
    keywords: ["mail", "smtp", "send", "message", "newsletter", "attachment"],
    fields: {
      credential: {
        title: "Credential",
        docs: "the id of a [credential](connections.md#use-a-credential) of the type `smtp`",
        widget: "credential",
        credentialType: "smtp",
      },
      to: {
        title: "To",
        docs: `one recipient, as \`ada@example.com\` or \`Ada <ada@example.com>\`, or a list of up to ${MAX_RECIPIENTS}`,
        widget: "expression",
      },
      subject: { title: "Subject", docs: "the subject, in one line", widget: "expression" },
      text: { title: "Text", docs: "the mail as plain text. A mail has `text`, `html` or both", widget: "text" },
      html: {
        title: "HTML",
        docs: "the mail as HTML. Weft inserts values without escaping them",
        widget: "text",
      },
      attachments: {
        title: "Attachments",
        docs: "up to 20 [files](files.md), together at most 25 MiB",
        widget: "expression",
      },
      from: {
        title: "From",
        docs: "the sender. The default is that of the credential",
        widget: "expression",
        group: MORE,
      },
      replyTo: { title: "Reply to", docs: "the address for replies", widget: "expression", group: MORE },
      cc: { title: "Cc", docs: "further recipients, as in `to`", widget: "expression", group: MORE },
      bcc: {
        title: "Bcc",
        docs: "hidden recipients, as in `to`",
        widget: "expression",
        group: MORE,
      },
      headers: {
        title: "Headers",
        docs: "further headers, such as `List-Unsubscribe`. They may contain [secrets](connections.md#use-a-credential)",
        widget: "keyValue",
        group: MORE,
      },
    },
    output: z.object({ messageId: z.string(), accepted: z.array(z.string()), rejected: z.array(z.string()) }),
    defaults: { to: "", subject: "", text: "" },
    examples: [
      {
        title: "Confirm an order",
        data: {
          credential: EXAMPLE_ID.mail,
          to: "{{ input.customer }}",
          subject: "Your order {{ input.order }}",
          text: "We have received your order {{ input.order }}.",
        },
        input: { customer: "Ada Lovelace <ada@example.com>", order: 7 },
        sample: {
          messageId: "<5a0f2c81d3b94e67a1c8@shop.example.com>",
          accepted: ["ada@example.com"],
          rejected: [],
        },
      },
    ],
  },
};
