import type { Service } from "moleculer";
import { v7 as uuid } from "uuid";
import { isNotMatched, isUniqueConflict } from "../../adapters/store/errors.ts";
import { handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import { idOfLinkToken, makeLinkToken } from "../../service-kit/link-token.ts";
import { sendMail } from "../../service-kit/mail.ts";
import { publicUrl } from "../../service-kit/public-url.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { recordEvent } from "./account-events.ts";
import { type EmailChangeDoc, emailChanges, passwordResets, type UserDoc, users } from "./model.ts";

const HOUR_MS = 3_600_000;
const HOURS = 24;
/** The two addresses that confirm a change, and the purposes with which their link tokens are signed. */
const SIDES = { former: "former address", next: "next address" } as const;
type Side = keyof typeof SIDES;
const LINK = "/confirm-address#token=";

type Self = Service & WithStore & WithHashKey;

/** Mails a link for confirming the change to both addresses. An earlier request of the person becomes invalid. */
export async function mailBothAddresses({ store, hashKey, broker }: Self, user: UserDoc, email: string): Promise<void> {
  const now = new Date();
  const change = { id: uuid(), userId: user.id, email, former: user.email, createdAt: now };
  const all = store.global(emailChanges);
  await store.write([
    all.ops.remove({ userId: user.id }),
    all.ops.insert({ ...change, expiresAt: new Date(now.getTime() + HOURS * HOUR_MS) }),
  ]);
  for (const side of ["former", "next"] as const) {
    const link = publicUrl() + LINK + makeLinkToken(hashKey, SIDES[side], change.id);
    await sendMail(broker, {
      key: `address:${change.id}:${side}`,
      at: now,
      to: side === "next" ? email : user.email,
      content: { template: "confirm-address", link, newAddress: email, isNew: side === "next", hours: HOURS },
      lifetimeMs: HOURS * HOUR_MS,
    });
  }
}

/** @throws {AppError} link_invalid for every fault of the token, so that the error reveals nothing */
async function changeOf({ store, hashKey }: Self, token: string): Promise<{ side: Side; change: EmailChangeDoc }> {
  for (const side of ["former", "next"] as const) {
    const id = idOfLinkToken(hashKey, SIDES[side], token);
    const change = id && (await store.global(emailChanges).get({ id }));
    if (change && change.expiresAt > new Date()) return { side, change };
  }
  throw new AppError("link_invalid");
}

/**
 * The address changes with the second confirmation. Links to the previous address for resetting the password become
 * invalid. Until the last write, an interrupted call can be repeated.
 */
async function complete(self: Self, { id, userId, email, former }: EmailChangeDoc): Promise<void> {
  const { store } = self;
  const all = store.global(users);
  const change = { $set: { email, updatedAt: new Date() } };
  const hasChanged = (await all.get({ id: userId }))?.email === email;
  try {
    await store.write([
      ...(hasChanged ? [] : [all.ops.updateOne({ id: userId, email: former }, change, { required: true })]),
      store.global(passwordResets).ops.remove({ userId }),
      store.global(emailChanges).ops.remove({ id }),
    ]);
  } catch (error) {
    if (isUniqueConflict(error)) throw new AppError("email_taken");
    throw isNotMatched(error) ? new AppError("link_invalid") : error;
  }
}

export const confirmEmail = handle<"identity.email.confirm", Self>("identity.email.confirm", async function (ctx) {
  const { side, change } = await changeOf(this, ctx.params.token);
  const confirmed = await this.store
    .global(emailChanges)
    .updateOne({ id: change.id }, { $set: { [`${side}At`]: new Date() } });
  if (!confirmed) throw new AppError("link_invalid");
  const done = Boolean(confirmed.formerAt && confirmed.nextAt);
  if (done) {
    await complete(this, confirmed);
    await recordEvent(this, change.userId, "email_changed", ctx);
  }
  return { email: change.email, done };
});
