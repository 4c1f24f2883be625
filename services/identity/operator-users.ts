import type { Service } from "moleculer";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { handle, userOf } from "../../contracts/call.ts";
import type { OperatedUser } from "../../contracts/entities/operator.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { beginsWith } from "../../service-kit/begins-with.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import { insertOnce } from "../../service-kit/insert-once.ts";
import { newId } from "../../service-kit/new-id.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { recordEvent } from "./account-events.ts";
import { passkeys, present, recoveries, sessions, totps, type UserDoc, users } from "./model.ts";
import { mailFactorChange } from "./change-mails.ts";
import { unknownHash } from "./administer-accounts.ts";
import { isOperator } from "./operators.ts";
import { openReset, resetLink } from "./reset-password.ts";
import { writeAndEnd } from "./set-password.ts";

const LINK_MS = 24 * 3_600_000;

type Self = Service & WithStore & WithHashKey;

const presentOperated = (user: UserDoc): OperatedUser => ({
  ...present(user),
  disabledAt: user.disabledAt?.toISOString() ?? null,
  operator: isOperator(user),
});

async function accountOf({ store }: WithStore, id: string): Promise<UserDoc> {
  const user = await store.global(users).get({ id, ...ALIVE });
  if (!user) throw notFound("user");
  return user;
}

export const list = handle<"identity.operator.users.list", WithStore>(
  "identity.operator.users.list",
  async function (ctx) {
    const { search, limit, cursor: after = null } = ctx.params;
    const all = this.store.global(users);
    const { items, next } =
      search === undefined
        ? await all.find(ALIVE, { sort: { id: -1 }, limit, after })
        : await all.find({ ...ALIVE, email: beginsWith(search) }, { sort: { email: 1 }, limit, after });
    return { items: items.map(presentOperated), next };
  },
);

export const get = handle<"identity.operator.users.get", WithStore>(
  "identity.operator.users.get",
  async function (ctx) {
    return presentOperated(await accountOf(this, ctx.params.userId));
  },
);

async function linkFor({ store, hashKey }: Self, userId: string) {
  const { id, expiresAt } = await openReset(store, userId, LINK_MS);
  return { link: resetLink(hashKey, id), expiresAt: expiresAt.toISOString() };
}

/** Operators' addresses are allowed here, because operators are trusted with each other's rights. */
export const create = handle<"identity.operator.users.create", Self>(
  "identity.operator.users.create",
  async function (ctx) {
    const { email, name = null } = ctx.params;
    const all = this.store.global(users);
    const now = new Date();
    const id = newId(ctx);
    const doc = { id, email, name, passwordHash: await unknownHash(), createdAt: now, updatedAt: now };
    const former = await insertOnce(
      () => all.insert(doc),
      () => all.get({ id }),
    ).catch((error: unknown) => {
      throw isUniqueConflict(error) ? new AppError("email_taken") : error;
    });
    const { link, expiresAt } = await linkFor(this, id);
    return { ...presentOperated(former ?? doc), link, linkExpiresAt: expiresAt };
  },
);

export const update = handle<"identity.operator.users.update", Self>(
  "identity.operator.users.update",
  async function (ctx) {
    const { userId, disabled } = ctx.params;
    const { store } = this;
    const user = await accountOf(this, userId);
    if (Boolean(user.disabledAt) === disabled) return presentOperated(user);
    if (userId === userOf(ctx).userId) throw new AppError("account_is_own");
    const all = store.global(users);
    if (!disabled) {
      await all.updateOne({ id: userId }, { $unset: { disabledAt: true } });
      await recordEvent(this, userId, "account_enabled", ctx);
    } else {
      await writeAndEnd(store, ctx.broker, userId, [
        all.ops.updateOne({ id: userId }, { $set: { disabledAt: new Date() } }, { required: true }),
        store.global(sessions).ops.remove({ userId }),
      ]);
      await recordEvent(this, userId, "account_disabled", ctx);
    }
    return presentOperated(await accountOf(this, userId));
  },
);

export const makeResetLink = handle<"identity.operator.users.makeResetLink", Self>(
  "identity.operator.users.makeResetLink",
  async function (ctx) {
    const { id: userId } = await accountOf(this, ctx.params.userId);
    const made = await linkFor(this, userId);
    await recordEvent(this, userId, "reset_link_made", ctx);
    return { userId, ...made };
  },
);

export const endSessions = handle<"identity.operator.users.endSessions", Self>(
  "identity.operator.users.endSessions",
  async function (ctx) {
    const { id: userId } = await accountOf(this, ctx.params.userId);
    await writeAndEnd(this.store, ctx.broker, userId, [this.store.global(sessions).ops.remove({ userId })]);
    await recordEvent(this, userId, "sessions_ended", ctx);
    return null;
  },
);

export const removeFactors = handle<"identity.operator.users.removeFactors", Self>(
  "identity.operator.users.removeFactors",
  async function (ctx) {
    const user = await accountOf(this, ctx.params.userId);
    const { store } = this;
    const removed = await store.write([
      store.global(totps).ops.remove({ id: user.id }),
      store.global(passkeys).ops.remove({ userId: user.id }),
      store.global(recoveries).ops.remove({ id: user.id }),
    ]);
    if (removed.every(count => count === 0)) return null;
    await recordEvent(this, user.id, "factors_removed", ctx);
    await mailFactorChange(this, user, "An operator removed the second factors of your account.");
    return null;
  },
);
