import { z } from "zod";
import { readMailbox } from "../mail/mailbox.ts";
import { fileData } from "./file-data.ts";

/** The most recipients of one kind. */
export const MAX_RECIPIENTS = 100;
const MAX_ATTACHMENTS = 20;
const MAX_HEADERS = 50;
const MAX_SUBJECT = 500;
const MAX_BODY_CHARS = 1_048_576;
const MAX_HEADER_CHARS = 2_000;

/** The headers that follow from other fields, and the headers that mail servers trust. */
const TAKEN =
  /^(?:from|to|cc|bcc|sender|reply-to|subject|date|message-id|mime-version|content-.*|return-path|received.*|dkim-.*|arc-.*|authentication-results|resent-.*)$/i;

const oneLine = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^\P{Cc}*$/u, "Must have no line break or control character");

const mailbox = z
  .string()
  .max(MAX_SUBJECT)
  .refine(
    text => readMailbox(text) !== undefined,
    "Expected one address, such as `ada@example.com` or `Ada <ada@example.com>`",
  );
const mailboxes = z.union([mailbox, z.array(z.unknown()).min(1).max(MAX_RECIPIENTS).pipe(z.array(mailbox))]);

const headerName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][A-Za-z0-9-]*$/, "Expected the name of a header")
  .refine(name => !TAKEN.test(name), "This header is set by Weft");

/** The data of an `email` step. */
export const email = z
  .object({
    credential: z.uuid(),
    to: mailboxes,
    cc: mailboxes.optional(),
    bcc: mailboxes.optional(),
    replyTo: mailbox.optional(),
    from: mailbox.optional(),
    subject: oneLine(MAX_SUBJECT),
    text: z.string().max(MAX_BODY_CHARS).optional(),
    html: z.string().max(MAX_BODY_CHARS).optional(),
    attachments: z.array(z.unknown()).max(MAX_ATTACHMENTS).pipe(z.array(fileData)).optional(),
    headers: z
      .record(z.string(), z.unknown())
      .refine(record => Object.keys(record).length <= MAX_HEADERS, `Must have at most ${MAX_HEADERS} entries`)
      .pipe(z.record(headerName, oneLine(MAX_HEADER_CHARS)))
      .prefault({}),
  })
  .refine(({ text, html }) => text !== undefined || html !== undefined, "Give `text`, `html` or both");
