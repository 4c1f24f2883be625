import { config } from "../../config.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import type { Store, WriteOp } from "../../adapters/store/port.ts";
import { passkeys, providerLinks, type UserDoc, users } from "./model.ts";
import type { SsoSelf } from "./sso-providers.ts";

/** Each failed try means that another removal was decided, and an account has few ways in. */
const MAX_TRIES = 50;

/** The writes that remove a linked provider or a passkey. */
const removal = (store: Store, userId: string, id: string): WriteOp[] => [
  store.global(providerLinks).ops.remove({ id, userId }),
  store.global(passkeys).ops.remove({ id, userId }),
];

/** Whether the password signs the person in. */
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
 * Removes a linked provider or a passkey, unless the person could not sign in without it. Of requests that remove the
 * last two at the same moment, one is refused: a removal is decided by a write that names it in the account, and that
 * succeeds only if no other removal was decided since the ways in were counted. What was decided is removed before
 * ways in are counted, since an interrupted call may have left it.
 * @throws {AppError} not_found, last_way_in, unavailable
 */
export async function removeWayIn(self: SsoSelf, userId: string, id: string): Promise<void> {
  const { store } = self;
  const all = store.global(users);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const user = await all.get({ id: userId });
    if (!user) throw notFound("user");
    const { leaving = null } = user;
    if (leaving !== null) await store.write(removal(store, userId, leaving));
    if (leaving === id) return;
    // Asked after the account was read: so no way in is named twice, and a name is never that of an earlier decision.
    if (!(await exists(self, userId, id))) throw notFound("way to sign in");
    if (!hasPasswordIn(user) && !(await hasOther(self, userId, id))) throw new AppError("last_way_in");
    if (!(await all.updateOne({ id: userId, leaving }, { $set: { leaving: id } }))) continue;
    await store.write(removal(store, userId, id));
    return;
  }
  throw new AppError("unavailable");
}
