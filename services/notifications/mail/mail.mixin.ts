import type { Service, ServiceSchema } from "moleculer";
import { smtpMailer, type Mailer } from "../../../adapters/mail/smtp.ts";
import { config } from "../../../config.ts";
import { sealerFor } from "../../../service-kit/sealer.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import { startSweeper } from "../../../service-kit/sweeper.ts";
import { MAIL_CONTENTS } from "./model.ts";
import { sendDue } from "./queue.ts";
import type { WithMail } from "./send.ts";

const EVERY_MS = 15_000;

/** Sends queued mails if an SMTP server is configured. List it before the store mixin. */
export const mailMixin: Partial<ServiceSchema> = {
  async started(this: Service & Partial<WithStore & WithMail & { mailer: Mailer }>) {
    const { SMTP_URL, MAIL_FROM } = config();
    this.mailSealer = sealerFor(MAIL_CONTENTS);
    if (SMTP_URL === undefined) return;
    this.mailer = await smtpMailer(SMTP_URL, MAIL_FROM ?? "");
    const self = this as Service & WithStore & WithMail & { mailer: Mailer };
    const failed = (error: unknown) => this.logger.warn("Mails could not be read; Weft tries again.", error);
    this.mailQueue = startSweeper(() => sendDue.call(self), EVERY_MS, failed);
  },
  async stopped(this: Service & Partial<WithMail & { mailer: Mailer }>) {
    await this.mailQueue?.stop();
    this.mailer?.close();
  },
};
