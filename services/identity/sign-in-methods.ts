import { config } from "../../config.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import type { Store, WriteOp } from "../../adapters/store/port.ts";
import { passkeys, providerLinks, type UserDoc, users } from "./model.ts";
import type { SsoSelf } from "./sso-providers.ts";

/** Each failed try means that another removal succeeded, and an account has few ways to sign in. */
const MAX_TRIES = 50;

/** The writes that remove a linked provider or a passkey. */
const removal = (store: Store, userId: string, id: string): WriteOp[] => [
  store.global(providerLinks).ops.remove({ id, userId }),
  store.global(passkeys).ops.remove({ id, userId }),
];

/** Whether the person can sign in with the password. */
const hasPasswordIn = ({ noPassword }: UserDoc): boolean => !noPassword && !config().SSO_ONLY;

/** Whether a person without a password can sign in without this provider or passkey. */
async function hasOther({ store, providers }: SsoSelf, userId: string, id: string): Promise<boolean> {
  const other = { userId, id: { $ne: id } };
  const linked = { ...other, provider: { $in: [...providers.keys()] } };
  if ((await store.global(providerLinks).count(linked, { limit: 1 })) > 0) return true;
  return !config().SSO_ONLY && (await store.global(passkeys).count(other, { limit: 1 })) > 0;
}

async function exists({ store }: SsoSelf, userId: string, id: string): Promise<boolean> {
  const counts = await Promise.all([
    store.global(providerLinks).count({ id, userId }),
    store.global(passkeys).count({ id, userId }),
  ]);
  return counts.some(count => count > 0);
}

/**
 * Removes a linked provider or a passkey, unless the person could not sign in without it. Of concurrent requests to
 * remove the last two, one is refused: each removal is first recorded in the account, and that write succeeds only if
 * no other removal was recorded since the ways to sign in were counted. Before they are counted, a recorded removal is
 * carried out, because an interrupted call may have left it.
 * @throws {AppError} not_found, last_way_in, unavailable
 */
export async function removeSignInMethod(self: SsoSelf, userId: string, id: string): Promise<void> {
  const { store } = self;
  const all = store.global(users);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const user = await all.get({ id: userId });
    if (!user) throw notFound("user");
    const { leaving = null } = user;
    if (leaving !== null) await store.write(removal(store, userId, leaving));
    if (leaving === id) return;
    // Checked after the account was read. So no way to sign in is recorded twice, and a recorded name never belongs to
    // an earlier removal.
    if (!(await exists(self, userId, id))) throw notFound("way to sign in");
    if (!hasPasswordIn(user) && !(await hasOther(self, userId, id))) throw new AppError("last_way_in");
    if (!(await all.updateOne({ id: userId, leaving }, { $set: { leaving: id } }))) continue;
    await store.write(removal(store, userId, id));
    return;
  }
  throw new AppError("unavailable");
}
