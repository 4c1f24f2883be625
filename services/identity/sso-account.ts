import { v7 as uuid } from "uuid";
import type { ProvedPerson } from "../../adapters/oauth/oidc.ts";
import { SignInFault } from "../../adapters/oauth/sign-in-fault.ts";
import { isNotMatched, isUniqueConflict } from "../../adapters/store/errors.ts";
import { config } from "../../config.ts";
import type { ActionContext } from "../../contracts/call.ts";
import { email as emailRule } from "../../contracts/entities/user.ts";
import { AppError } from "../../contracts/errors.ts";
import { name as nameRule } from "../../contracts/primitives.ts";
import { admission } from "../../core/registration.ts";
import { newcomerOutcome } from "../../core/sso.ts";
import { recordEvent } from "./account-events.ts";
import { isEmpty, isInvited } from "./password-sign-in.ts";
import { passkeys, type ProviderLinkDoc, providerLinks, recoveries, totps, type UserDoc, users } from "./model.ts";
import { mailFactorChange } from "./change-mails.ts";
import { isOperatorAddress } from "./operator-address.ts";
import { unknownHash } from "./administer-accounts.ts";
import { passwordWrites, writeAndEnd } from "./set-password.ts";
import { refusal } from "./sso-attempt.ts";
import type { Provider, SsoSelf } from "./sso-providers.ts";

type Entering = ActionContext<"identity.browser.sso.finish">;

/** The most providers that are linked to one account. */
export const MAX_LINKS = 20;

const emailOf = ({ email }: ProvedPerson) => emailRule.safeParse(email).data ?? null;
/** The fields that identify a person across providers. */
const whose = ({ issuer, subject }: ProvedPerson) => ({ issuer, subject });
const nameOf = ({ name }: ProvedPerson) => nameRule.safeParse(name).data ?? null;

/** The link of an account to a person at a provider. */
export const newLink = (userId: string, { settings }: Provider, person: ProvedPerson) => ({
  id: uuid(),
  userId,
  provider: settings.id,
  issuer: person.issuer,
  subject: person.subject,
  email: emailOf(person),
  createdAt: new Date(),
});

/**
 * Links the existing account of an address. Weft does not know who registered that address, so all former ways to sign
 * in end: the password, the factors, other links and the sessions. API keys stay, because they reach only workspaces of
 * which that account is a member already. The link is written last. Where the writes do not commit together, the next
 * sign-in finds no link to the account and repeats all of them. `former` is a link of the person to an account that was
 * not created.
 */
async function takeOver(
  self: SsoSelf,
  ctx: Entering,
  provider: Provider,
  person: ProvedPerson,
  { user, former }: { user: UserDoc; former: ProviderLinkDoc | null },
) {
  const { store, broker } = self;
  const { id, passwordHash } = user;
  const links = store.global(providerLinks);
  const changes = { passwordHash: await unknownHash(), noPassword: true };
  await writeAndEnd(store, broker, id, [
    ...passwordWrites(store, { id, passwordHash }, changes),
    store.global(totps).ops.remove({ id }),
    store.global(recoveries).ops.remove({ id }),
    store.global(passkeys).ops.remove({ userId: id }),
    links.ops.remove({ userId: id }),
    ...(former ? [links.ops.remove({ id: former.id })] : []),
    links.ops.insert(newLink(id, provider, person)),
  ]).catch((error: unknown) => {
    throw isNotMatched(error) || isUniqueConflict(error) ? new AppError("conflict") : error;
  });
  await recordEvent(self, id, "provider_linked", ctx, provider.settings.name);
  const what = `Your account was linked to ${provider.settings.name}. Its password and second factor work no longer.`;
  await mailFactorChange(self, user, what);
}

/**
 * Creates an account with its link. `former` is the link of an earlier attempt that was interrupted before it created
 * the account. The link is written first. Where the writes do not commit together, the next sign-in finds the link and
 * creates the account that it names. An account that was written first would block its address, and no link would lead
 * to it. The password is random and is not stored.
 */
async function create(
  { store }: SsoSelf,
  provider: Provider,
  person: ProvedPerson,
  { email, isFirst, former }: { email: string; isFirst: boolean; former: ProviderLinkDoc | null },
) {
  const now = new Date();
  const link = former ?? newLink(uuid(), provider, person);
  const user = { id: link.userId, email, name: nameOf(person), passwordHash: await unknownHash(), noPassword: true };
  const made = { ...user, ...(isFirst && { first: true }), createdAt: now, updatedAt: now };
  try {
    await store.write([
      ...(former ? [] : [store.global(providerLinks).ops.insert(link)]),
      store.global(users).ops.insert(made),
    ]);
  } catch (error) {
    throw isUniqueConflict(error) ? new AppError("conflict") : error;
  }
}

/** Links or creates the account of a person. `former` is a link of the person to an account that was not created. */
async function enrol(
  self: SsoSelf,
  ctx: Entering,
  provider: Provider,
  person: ProvedPerson,
  { invite, former }: { invite: string | undefined; former: ProviderLinkDoc | null },
): Promise<void> {
  const { store } = self;
  const email = emailOf(person);
  const verified = email !== null && person.emailVerified;
  const user = verified ? await store.global(users).get({ email }) : null;
  // Another sign-in of the person has just linked or created this account.
  if (user && (await store.global(providerLinks).get(whose(person)))?.userId === user.id) return;
  const facts = { isEmpty: await isEmpty(store), isInvited: verified && (await isInvited(ctx, email, invite)) };
  const admitted = provider.settings.register ? "admitted" : admission(config().REGISTRATION, facts);
  const { linkByEmail } = provider.settings;
  const outcome = newcomerOutcome({
    verified,
    hasAccount: user !== null,
    linkByEmail,
    admitted: admitted !== "refused",
  });
  if (outcome === "unverified" || email === null)
    throw new SignInFault("The provider has not verified your e-mail address.");
  if (outcome === "not-linked") throw new AppError("sso_not_linked");
  if (outcome === "closed") throw new AppError("registration_closed");
  if (outcome === "link" && user) return takeOver(self, ctx, provider, person, { user, former });
  // Operators' accounts must be created on the machine, unless the operators trust the addresses of this provider.
  if (!linkByEmail && isOperatorAddress(email)) throw new AppError("sso_not_linked");
  return create(self, provider, person, { email, isFirst: admitted === "admitted-as-first", former });
}

/**
 * The account of a person that a provider has authenticated. It is created or linked if the rules allow that.
 * @throws {AppError} sso_refused, sso_not_linked, registration_closed, account_disabled, conflict
 */
export async function accountOf(
  self: SsoSelf,
  ctx: Entering,
  provider: Provider,
  person: ProvedPerson,
  invite: string | undefined,
): Promise<UserDoc> {
  const links = self.store.global(providerLinks);
  let known: string | undefined;
  try {
    const linked = async () => {
      const link = await links.get(whose(person));
      return { link, user: link && (await self.store.global(users).get({ id: link.userId })) };
    };
    let { link, user } = await linked();
    if (!user) {
      await enrol(self, ctx, provider, person, { invite, former: link });
      ({ link, user } = await linked());
    }
    if (!link || !user) throw new AppError("conflict");
    known = user.id;
    if (user.disabledAt) throw new AppError("account_disabled");
    await links.updateOne({ id: link.id }, { $set: { usedAt: new Date(), provider: provider.settings.id } });
    return user;
  } catch (error) {
    const isExpected = error instanceof AppError || error instanceof SignInFault;
    throw isExpected ? await refusal(self, provider, ctx, error, known) : error;
  }
}
