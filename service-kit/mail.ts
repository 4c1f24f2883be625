import { config } from "../config.ts";
import { call } from "../contracts/call.ts";
import type { MailContent } from "../contracts/entities/mail.ts";

interface Mail {
  /** Repeated requests with the same key and time create only one mail. */
  key: string;
  at: Date;
  to: string;
  content: MailContent;
  /** How long the mail is worth sending. */
  lifetimeMs: number;
}

export const hasMail = (): boolean => config().SMTP_URL !== undefined;

/** Queues a mail if the installation has an SMTP server. Returns whether it will be sent. */
export async function sendMail(from: { call: unknown }, { at, lifetimeMs, ...mail }: Mail): Promise<boolean> {
  if (!hasMail()) return false;
  const expiresAt = new Date(at.getTime() + lifetimeMs).toISOString();
  return (await call(from, "notifications.mail.send", { ...mail, at: at.toISOString(), expiresAt })).queued;
}
