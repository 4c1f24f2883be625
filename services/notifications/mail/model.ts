import { defineCollection, type DocumentOf, where } from "../../../adapters/store/define-collection.ts";
import { date, number, optional, optionalOrNull, sealed, string } from "../../../adapters/store/field-types.ts";

export const MAIL_CONTENTS = "mails";

/**
 * A mail to send. Its id comes from its key, so that a repeated request makes no second mail. A sent mail stays for a
 * while without its content.
 */
export const mails = defineCollection({
  name: "mails",
  tenant: false,
  fields: {
    to: string(),
    /** JSON of a `MailContent`; links in it open accounts. Removed when the mail is sent or given up. */
    content: optional(sealed(MAIL_CONTENTS)),
    /** The next attempt, or the end of the lease of the node that sends it. Unset when nothing is left to do. */
    dueAt: optionalOrNull(date()),
    attempts: number(),
    sentAt: optionalOrNull(date()),
    error: optionalOrNull(string()),
    createdAt: date(),
    /** An unsent mail is given up then. */
    expiresAt: date(),
  },
  indexes: [[{ dueAt: 1 }, where("dueAt")], [{ expiresAt: 1 }]],
});
export type MailDoc = DocumentOf<typeof mails>;
