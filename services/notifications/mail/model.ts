import { defineCollection, type DocumentOf, where } from "../../../adapters/store/define-collection.ts";
import { date, number, optional, optionalOrNull, sealed, string } from "../../../adapters/store/field-types.ts";

export const MAIL_CONTENTS = "mails";

/**
 * A mail to send. Its id is derived from its key, so a repeated request creates no second mail. A sent mail is kept for
 * a while without its content.
 */
export const mails = defineCollection({
  name: "mails",
  tenant: false,
  fields: {
    to: string(),
    /** JSON of a `MailContent`. Links in it open accounts, so it is removed when the mail is sent or given up. */
    content: optional(sealed(MAIL_CONTENTS)),
    /**
     * The time of the next attempt, or the end of the lease of the node that sends it. Unset if nothing is left to do.
     */
    dueAt: optionalOrNull(date()),
    attempts: number(),
    sentAt: optionalOrNull(date()),
    error: optionalOrNull(string()),
    createdAt: date(),
    /** When an unsent mail is given up. */
    expiresAt: date(),
  },
  indexes: [[{ dueAt: 1 }, where("dueAt")], [{ expiresAt: 1 }]],
});
export type MailDoc = DocumentOf<typeof mails>;
