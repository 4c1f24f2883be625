import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { handle, userOf } from "../../contracts/call.ts";
import { linkedProvider } from "../../contracts/entities/sso.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { presenter } from "../../service-kit/present.ts";
import { recordEvent } from "./account-events.ts";
import { type ProviderLinkDoc, providerLinks, users } from "./model.ts";
import { mailFactorChange } from "./change-mails.ts";
import { reauthenticatedCaller } from "./reauthenticate.ts";
import { MAX_LINKS, newLink } from "./sso-account.ts";
import { beginAttempt, proveAttempt, refusal } from "./sso-attempt.ts";
import type { SsoSelf } from "./sso-providers.ts";
import { removeSignInMethod } from "./sign-in-methods.ts";

const OUTSIDE = { timeout: 35_000, outside: true };

const present = presenter(linkedProvider, providerLinks, ({ provider }, { providers }: SsoSelf) => ({
  name: providers.get(provider)?.settings.name ?? provider,
}));

export const list = handle<"identity.providers.list", SsoSelf>("identity.providers.list", async function (ctx) {
  const { limit, cursor: after = null } = ctx.params;
  const { userId } = userOf(ctx);
  const newest = { sort: { id: -1 as const }, limit, after };
  const { items, next } = await this.store.global(providerLinks).find({ userId }, newest);
  return { items: items.map(link => present(link, this)), next };
});

export const begin = handle<"identity.providers.begin", SsoSelf>(
  "identity.providers.begin",
  async function (ctx) {
    const { provider, password } = ctx.params;
    const { id: userId } = await reauthenticatedCaller(this, userOf(ctx), password);
    return beginAttempt(this, provider, ctx, { userId });
  },
  OUTSIDE,
);

/**
 * Stores a link. Replaces a link to an account that was never created, which an interrupted sign-in may have left.
 * @returns the existing link of the person at the provider; null if the new link was stored
 */
async function occupied({ store }: SsoSelf, made: ProviderLinkDoc): Promise<ProviderLinkDoc | null> {
  const all = store.global(providerLinks);
  const add = () =>
    all.insert(made).then(
      () => null,
      async (error: unknown) => {
        const former = isUniqueConflict(error) ? await all.get({ issuer: made.issuer, subject: made.subject }) : null;
        if (!former) throw error;
        return former;
      },
    );
  const former = await add();
  if (!former || (await store.global(users).get({ id: former.userId }))) return former;
  await all.remove({ id: former.id });
  return add();
}

export const finish = handle<"identity.providers.finish", SsoSelf>(
  "identity.providers.finish",
  async function (ctx) {
    const { userId } = userOf(ctx);
    const { provider, person } = await proveAttempt(this, ctx.params, ctx, userId);
    const all = this.store.global(providerLinks);
    if ((await all.count({ userId }, { limit: MAX_LINKS })) >= MAX_LINKS) throw new AppError("limit_reached");
    const made = newLink(userId, provider, person);
    const former = await occupied(this, made);
    if (former?.userId === userId) return present(former, this);
    if (former) throw await refusal(this, provider, ctx, new AppError("sso_linked_elsewhere"), userId);
    await recordEvent(this, userId, "provider_linked", ctx, provider.settings.name);
    const user = await this.store.global(users).get({ id: userId });
    if (user) await mailFactorChange(this, user, `A sign-in by ${provider.settings.name} was added to your account.`);
    return present(made, this);
  },
  OUTSIDE,
);

export const remove = handle<"identity.providers.remove", SsoSelf>("identity.providers.remove", async function (ctx) {
  const { id, password } = ctx.params;
  const user = await reauthenticatedCaller(this, userOf(ctx), password);
  const link = await this.store.global(providerLinks).get({ id, userId: user.id });
  if (!link) throw notFound("provider");
  await removeSignInMethod(this, user.id, id);
  const name = this.providers.get(link.provider)?.settings.name ?? link.provider;
  await recordEvent(this, user.id, "provider_removed", ctx, name);
  await mailFactorChange(this, user, `The sign-in by ${name} was removed from your account.`);
  return null;
});
