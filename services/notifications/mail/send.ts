import type { Service } from "moleculer";
import type { Sealer } from "../../../adapters/secrets/sealer.ts";
import { isUniqueConflict } from "../../../adapters/store/errors.ts";
import { config } from "../../../config.ts";
import { handle } from "../../../contracts/call.ts";
import { AppError } from "../../../contracts/errors.ts";
import { derivedId } from "../../../service-kit/derived-id.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import type { Sweeper } from "../../../service-kit/sweeper.ts";
import { mails } from "./model.ts";

/**
 * The most mails that wait. More means that the server is unavailable for long, or that anonymous clients cause them.
 */
const MAX_WAITING = 10_000;

export interface WithMail {
  mailSealer: Sealer;
  mailQueue: Sweeper;
}

/** Queues a mail. Repeated requests with the same key queue it once. */
export const sendMail = handle<"notifications.mail.send", Service & WithStore & WithMail>(
  "notifications.mail.send",
  async function (ctx) {
    const { key, at, to, content, expiresAt } = ctx.params;
    if (config().SMTP_URL === undefined) return { queued: false };
    const all = this.store.global(mails);
    if ((await all.count({ dueAt: { $ne: null } }, { limit: MAX_WAITING })) >= MAX_WAITING) {
      throw new AppError("unavailable");
    }
    const id = derivedId(new Date(at), `mail ${key}`);
    const sealed = this.mailSealer.seal(JSON.stringify(content), id);
    const now = new Date();
    const doc = { id, to, content: sealed, dueAt: now, attempts: 0, createdAt: now, expiresAt: new Date(expiresAt) };
    await all.insert(doc).catch((error: unknown) => {
      if (!isUniqueConflict(error)) throw error;
    });
    this.mailQueue.soon();
    return { queued: true };
  },
);
