import type { Service } from "moleculer";
import { v7 as uuid } from "uuid";
import type { MailContent } from "../../contracts/entities/mail.ts";
import { sendMail } from "../../service-kit/mail.ts";
import { publicUrl } from "../../service-kit/public-url.ts";

const LIFETIME_MS = 24 * 3_600_000;

/**
 * Notifies a person by mail of a change that a thief could have made. The change is kept even if the mail cannot be
 * queued.
 */
async function mailChange({ broker, logger }: Service, email: string, content: MailContent): Promise<void> {
  const mail = { key: `news:${uuid()}`, at: new Date(), to: email, content, lifetimeMs: LIFETIME_MS };
  await sendMail(broker, mail).catch((error: unknown) =>
    logger.warn("The mail about a change of an account could not be queued.", error),
  );
}

export const mailPasswordChange = (self: Service, { email }: { email: string }): Promise<void> =>
  mailChange(self, email, { template: "password-changed", publicUrl: publicUrl() });

export const mailFactorChange = (self: Service, { email }: { email: string }, what: string): Promise<void> =>
  mailChange(self, email, { template: "factors-changed", what, publicUrl: publicUrl() });
