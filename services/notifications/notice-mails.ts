import type { Service } from "moleculer";
import type { Store } from "../../adapters/store/port.ts";
import { config } from "../../config.ts";
import { call } from "../../contracts/call.ts";
import type { MailContent } from "../../contracts/entities/mail.ts";
import type { MailChoice } from "../../contracts/entities/user.ts";
import { clip } from "../../core/clip.ts";
import { answerUrl } from "../../service-kit/answer-link.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import { sendMail } from "../../service-kit/mail.ts";
import { publicUrl } from "../../service-kit/public-url.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { consoleUrlOf, type NotificationDoc, notifications } from "./model.ts";

const HOUR_MS = 3_600_000;
const LIFETIME_MS = 24 * HOUR_MS;
const GROUP = 100;
/** Bounds the loop. A later sweep continues. */
const MAX_GROUPS = 100;
/** The most notifications of one mail. */
const MAX_ITEMS = 50;
const MAX_BODY = 2_000;

type Self = Service & WithStore & WithHashKey;

/** Notifications of types that have their own mail are not mailed again. */
export const isMailed = (type: NotificationDoc["type"]): boolean => type !== "invite";

/** The end of the hour in which a notification was created. The digest of that time includes it. */
const digestAt = ({ createdAt }: NotificationDoc) =>
  new Date((Math.floor(createdAt.getTime() / HOUR_MS) + 1) * HOUR_MS);

/**
 * The address for a notification. A subject without a page is shown in the list of notifications. Without the console,
 * only the API's address exists.
 */
function linkOf(doc: NotificationDoc, hashKey: string): string | null {
  // The mail is for one person, so the link may be personal.
  if (doc.asked && config().CONSOLE) return answerUrl(hashKey, { ...doc.asked, to: doc.userId });
  if (!config().CONSOLE) return doc.link ? publicUrl() + doc.link : null;
  return consoleUrlOf(doc) ?? `${publicUrl()}/me/notifications`;
}

function contentOf(docs: readonly NotificationDoc[], hashKey: string): MailContent {
  const items = docs.slice(0, MAX_ITEMS).map(doc => ({
    title: doc.title ?? "",
    body: clip(doc.body ?? "", MAX_BODY),
    link: linkOf(doc, hashKey),
  }));
  return { template: "notifications", items, more: docs.length - items.length, settingsLink: `${publicUrl()}/me` };
}

const settle = (store: Store, docs: readonly NotificationDoc[]) =>
  store.global(notifications).updateMany({ id: { $in: docs.map(({ id }) => id) } }, { $unset: { mailAt: true } });

/**
 * Mails the due notifications of one person, by the person's choice: one mail each at once, or one mail for all each
 * hour. Skips what was read or removed meanwhile. A repeated call after a crash sends no second mail.
 */
async function mailTo(
  self: Self,
  to: { id: string; email: string; mails: MailChoice } | undefined,
  docs: readonly NotificationDoc[],
  now: Date,
): Promise<void> {
  const { store, broker, hashKey } = self;
  const wanted = docs.filter(({ readAt, removed }) => !readAt && !removed);
  if (!to || to.mails === "none" || wanted.length === 0) return void (await settle(store, docs));
  if (to.mails === "now") {
    for (const doc of wanted) {
      const mail = { key: `notice:${doc.id}`, at: doc.createdAt, to: to.email, content: contentOf([doc], hashKey) };
      await sendMail(broker, { ...mail, lifetimeMs: LIFETIME_MS });
    }
    return void (await settle(store, docs));
  }
  const later = docs.filter(doc => digestAt(doc) > now);
  for (const doc of later) {
    await store.global(notifications).updateOne({ id: doc.id }, { $set: { mailAt: digestAt(doc) } });
  }
  const due = wanted.filter(doc => digestAt(doc) <= now);
  const [first] = due;
  if (first) {
    const mail = { key: `digest:${first.id}`, at: first.createdAt, to: to.email, content: contentOf(due, hashKey) };
    await sendMail(broker, { ...mail, lifetimeMs: LIFETIME_MS });
  }
  await settle(
    store,
    docs.filter(doc => digestAt(doc) <= now),
  );
}

/** Mails due notifications to people who want mails. */
export async function mailNotices(this: Self, now: Date): Promise<void> {
  const all = this.store.global(notifications);
  for (let group = 0; group < MAX_GROUPS; group++) {
    const { items } = await all.find({ mailAt: { $lte: now } }, { sort: { mailAt: 1 }, limit: GROUP });
    if (items.length === 0) return;
    const byUser = Map.groupBy(items, ({ userId }) => userId);
    const choices = await call(this.broker, "identity.mailChoices", { ids: [...byUser.keys()] });
    const people = new Map(choices.map(person => [person.id, person]));
    for (const [userId, docs] of byUser) await mailTo(this, people.get(userId), docs, now);
    if (items.length < GROUP) return;
  }
}
