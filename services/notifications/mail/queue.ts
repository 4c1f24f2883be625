import type { Service } from "moleculer";
import { type Mailer, MailError } from "../../../adapters/mail/smtp.ts";
import type { Collection } from "../../../adapters/store/port.ts";
import { config } from "../../../config.ts";
import { mailContent } from "../../../contracts/entities/mail.ts";
import { clip } from "../../../core/clip.ts";
import { renderMail } from "../../../core/mail/render.ts";
import { removeAll } from "../../../service-kit/remove-all.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import { type MailDoc, mails } from "./model.ts";
import type { WithMail } from "./send.ts";

/** How many mails are sent at the same time. */
const GROUP = 4;
const MAX_GROUPS = 100;
/** Longer than an attempt. After this time, another node sends the mail with the same Message-ID. */
const LEASE_MS = 90_000;
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 15 * 60_000;
/** How long the key of a sent mail is remembered. */
const KEPT_MS = 7 * 24 * 3_600_000;
const MAX_ERROR = 300;

type Self = Service & WithStore & WithMail & { mailer: Mailer };

/** The host in an address such as `Weft <weft@example.com>`. */
const hostOf = (from: string) => /@([\w.-]+)/.exec(from)?.[1] ?? "localhost";

/** Doubles from two seconds to a quarter of an hour, with a random part so that mails are not retried together. */
const retryMs = (attempts: number) =>
  Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts, 20)) * (0.75 + Math.random() / 2);

async function attempt({ mailer, mailSealer }: Self, { id, to, content = "", createdAt }: MailDoc): Promise<void> {
  const parsed = mailContent.safeParse(JSON.parse(mailSealer.open(content, id)));
  // A newer node created it.
  if (!parsed.success) throw new MailError("This version does not know the mail's content", false);
  const messageId = `<${id}@${hostOf(config().MAIL_FROM ?? "")}>`;
  await mailer.send({ messageId, date: createdAt, to, ...renderMail(parsed.data) });
}

/**
 * Sends one mail, unless another node holds it. Returns the time of the next attempt in ms since 1970, or null if there
 * is none.
 */
async function sendOne(self: Self, all: Collection<MailDoc>, read: MailDoc, now: Date): Promise<number | null> {
  const until = new Date(now.getTime() + LEASE_MS);
  const held = { id: read.id, dueAt: until };
  const mail = await all.updateOne(
    { id: read.id, dueAt: read.dueAt },
    { $set: { dueAt: until }, $inc: { attempts: 1 } },
  );
  if (!mail) return null;
  const done = async (outcome: Pick<MailDoc, "sentAt" | "error">) => {
    const expiresAt = new Date(Date.now() + KEPT_MS);
    await all.updateOne(held, { $set: { ...outcome, expiresAt }, $unset: { dueAt: true, content: true } });
    return null;
  };
  if (mail.expiresAt <= now) {
    self.logger.error("A mail could not be sent in time; Weft gives it up.", { id: mail.id, error: mail.error });
    return done({ error: mail.error ?? "expired" });
  }
  try {
    await attempt(self, mail);
    return await done({ sentAt: new Date() });
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof MailError && error.final) {
      self.logger.error("The mail server rejected a mail; Weft gives it up.", { id: mail.id }, message);
      return done({ error: clip(message, MAX_ERROR) });
    }
    self.logger.warn("A mail could not be sent; Weft tries again.", { id: mail.id }, message);
    const dueAt = new Date(Date.now() + retryMs(mail.attempts - 1));
    await all.updateOne(held, { $set: { dueAt, error: clip(message, MAX_ERROR) } });
    return dueAt.getTime();
  }
}

/** Sends due mails, the longest waiting first. Returns the milliseconds until the next mail is due. */
export async function sendDue(this: Self): Promise<number | void> {
  const all = this.store.global(mails);
  for (let group = 0; group < MAX_GROUPS; group++) {
    const now = new Date();
    const { items } = await all.find({ dueAt: { $lte: now } }, { sort: { dueAt: 1 }, limit: GROUP });
    const outcomes = await Promise.all(items.map(mail => sendOne(this, all, mail, now)));
    // The server is unavailable, so the other mails wait too.
    if (items.length < GROUP || outcomes.some(again => again !== null)) break;
  }
  await removeAll(all, { dueAt: null, expiresAt: { $lte: new Date() } });
  const { items } = await all.find({ dueAt: { $ne: null } }, { sort: { dueAt: 1 }, limit: 1 });
  const next = items[0]?.dueAt;
  return next ? Math.max(0, next.getTime() - Date.now()) : undefined;
}
