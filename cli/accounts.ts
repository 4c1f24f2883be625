import type * as model from "../services/identity/model.ts";
import type { CollectionSpec, Store } from "../adapters/store/port.ts";
import { CommandError, type Invocation } from "./command.ts";
import type { Opened } from "./store.ts";

const KNOWN: ReadonlySet<string> = new Set(["ConfigError", "AccountFault"]);

/** The state of account commands: the store, opened on this machine, and the service's rules. */
export interface Accounts extends Opened {
  identity: typeof model;
  /** The settings of Weft that affect accounts. */
  settings: { PUBLIC_URL?: string | undefined; PORT: number; PASSWORDS_BREACHED?: string | undefined };
}

/**
 * Opens the store of the installation on this machine for account commands. Weft may be running.
 * @throws {CommandError} when there is no store or no key, or a rule of the service refuses the change
 */
export async function withAccounts<T>(given: Invocation, run: (accounts: Accounts) => Promise<T>): Promise<T> {
  const [{ withStore }, identity, { readEnvironment }] = await Promise.all([
    import("./store.ts"),
    import("../services/identity/model.ts"),
    import("../config.ts"),
  ]);
  const collections: CollectionSpec[] = [
    identity.users,
    identity.sessions,
    identity.passwordResets,
    identity.totps,
    identity.passkeys,
    identity.recoveries,
    identity.accountEvents,
  ];
  try {
    return await withStore(given, collections, opened =>
      run({ ...opened, identity, settings: readEnvironment(process.env) }),
    );
  } catch (error) {
    if (!KNOWN.has((error as Error).name)) throw error;
    throw new CommandError((error as Error).message, { cause: error });
  }
}

/**
 * The account with this address.
 * @throws {CommandError} when there is no such account
 */
export async function accountOf({ store, identity }: { store: Store } & Pick<Accounts, "identity">, email: string) {
  const user = await store.global(identity.users).get({ email: email.trim().toLowerCase() });
  if (!user) throw new CommandError(`There is no account with the address ${JSON.stringify(email)}.`);
  return user;
}
