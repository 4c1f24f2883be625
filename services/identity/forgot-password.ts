import type { Service, ServiceSchema } from "moleculer";
import { v7 as uuid } from "uuid";
import { handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { derivedId } from "../../service-kit/derived-id.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import { hasMail, sendMail } from "../../service-kit/mail.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { startSweeper, type Sweeper } from "../../service-kit/sweeper.ts";
import { passwordResets, type ResetRequestDoc, resetRequests, users } from "./model.ts";
import { checkPasswordsAllowed } from "./sso-providers.ts";
import { openReset, resetLink } from "./reset-password.ts";

const MINUTE_MS = 60_000;
const LINK_MS = 30 * MINUTE_MS;
/** The most valid links of one account. Further requests send no mail. */
const MAX_LINKS = 5;
/** The most requests that wait. */
const MAX_WAITING = 10_000;
const EVERY_MS = 15_000;
const GROUP = 20;

type Self = Service & WithStore & WithHashKey & { forgotten?: Sweeper };

/**
 * Stores the request. A worker looks up the account later, so neither the response nor its duration depends on whether
 * there is an account.
 */
export const forgot = handle<"identity.password.forgot", Self>("identity.password.forgot", async function (ctx) {
  checkPasswordsAllowed();
  if (!hasMail()) throw new AppError("no_mail_configured");
  const all = this.store.global(resetRequests);
  if ((await all.count({}, { limit: MAX_WAITING })) >= MAX_WAITING) throw new AppError("unavailable");
  await all.insert({ id: uuid(), email: ctx.params.email, createdAt: new Date() });
  this.forgotten?.soon();
  return null;
});

/** Mails the link. A repeated call after a crash creates the same link and sends no second mail. */
async function answer(self: Self, { id, email, createdAt }: ResetRequestDoc): Promise<void> {
  const { store, hashKey, broker } = self;
  const user = await store.global(users).get({ email });
  if (!user || user.disabledAt) return;
  const links = store.global(passwordResets);
  const open = { userId: user.id, usedAt: null, expiresAt: { $gt: new Date() } };
  const resetId = derivedId(createdAt, `reset ${id}`);
  if ((await links.count({ ...open, id: { $ne: resetId } }, { limit: MAX_LINKS })) >= MAX_LINKS) return;
  await openReset(store, user.id, LINK_MS, { id: resetId, now: createdAt });
  await sendMail(broker, {
    key: `reset:${id}`,
    at: createdAt,
    to: user.email,
    content: { template: "password-reset", link: resetLink(hashKey, resetId), minutes: LINK_MS / MINUTE_MS },
    lifetimeMs: LINK_MS,
  });
}

async function answerAll(self: Self): Promise<void> {
  const all = self.store.global(resetRequests);
  for (;;) {
    const { items } = await all.find({}, { limit: GROUP });
    for (const request of items) {
      await answer(self, request);
      await all.remove({ id: request.id });
    }
    if (items.length < GROUP) return;
  }
}

/** Processes requests for links by mail. List it before the mixins of the store and of the hash key. */
export const forgotPasswordMixin: Partial<ServiceSchema> = {
  started(this: Service & Partial<Self>) {
    const self = this as Self;
    const failed = (error: unknown) => this.logger.warn("A link could not be mailed; Weft tries again.", error);
    this.forgotten = startSweeper(() => answerAll(self), EVERY_MS, failed);
    return Promise.resolve();
  },
  async stopped(this: Service & Partial<Self>) {
    await this.forgotten?.stop();
  },
};
