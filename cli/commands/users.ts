import { accountOf, type Accounts, withAccounts } from "../accounts.ts";
import { argument, type Command, CommandError, type Invocation, type Options } from "../command.ts";
import { DATA_DIR_OPTION } from "../installation.ts";
import { jsonText, printResult, table, timeText, withoutControls } from "../terminal.ts";
import { askSecret } from "../read-input.ts";
import { LOCAL_OR_API_NOTES, localOrApi } from "./local-or-api.ts";
import * as api from "./users-api.ts";
import { disabledText, printChange, printLink, printUsers } from "./users-api.ts";

const PAGE = 500;
const LINK_MS = 24 * 3_600_000;
const EITHER: Options = { ...DATA_DIR_OPTION, ...api.API_OPTION };

const PASSWORD: Options = {
  ask: { type: "boolean", help: "ask for the password, or read it from standard input, instead of making a link" },
};

/** Creates and prints the link with which a person sets a new password. */
async function makeLink(given: Invocation, { store, keyring, settings }: Accounts, userId: string): Promise<void> {
  const [{ hashKey }, { openReset, resetLink }, { publicUrl }] = await Promise.all([
    import("../../adapters/secrets/hash-key.ts"),
    import("../../services/identity/reset-password.ts"),
    import("../../service-kit/public-url.ts"),
  ]);
  const { id, expiresAt } = await openReset(store, userId, LINK_MS);
  printLink(given, resetLink(await hashKey(store, keyring), id, publicUrl(settings)), expiresAt.toISOString());
}

async function newHash({ settings }: Accounts, email: string, name: string | null): Promise<string> {
  const { hashGiven } = await import("../../services/identity/administer-accounts.ts");
  const text = (await askSecret("New password: ")).replace(/\r?\n$/, "");
  return hashGiven(text, [email, name], settings.PASSWORDS_BREACHED);
}

const list = (given: Invocation) =>
  withAccounts(given, async ({ store, identity }) => {
    const { beginsWith } = await import("../../service-kit/begins-with.ts");
    const search = given.text("search")?.trim().toLowerCase();
    const filter = search ? { email: beginsWith(search) } : {};
    const rows = [];
    for (let after: string | null = null, more = true; more;) {
      const { items, next } = await store.global(identity.users).find(filter, { limit: PAGE, after });
      rows.push(...items);
      after = next;
      more = next !== null;
    }
    const shown = rows.map(user => ({
      id: user.id,
      email: user.email,
      name: user.name,
      createdAt: user.createdAt.toISOString(),
      disabledAt: user.disabledAt?.toISOString() ?? null,
    }));
    printUsers(given, shown);
  });

const create = (given: Invocation) =>
  withAccounts(given, async accounts => {
    const { createAccount, readPerson, unknownHash } = await import("../../services/identity/administer-accounts.ts");
    const { email, name } = readPerson(argument(given), given.text("name"));
    const asked = given.flag("ask");
    const passwordHash = asked ? await newHash(accounts, email, name) : await unknownHash();
    const user = await createAccount(accounts.store, { email, name, passwordHash });
    if (asked) return printChange(given, user, `${email} has an account.`);
    return makeLink(given, accounts, user.id);
  });

const resetPassword = (given: Invocation) =>
  withAccounts(given, async accounts => {
    const { store } = accounts;
    const user = await accountOf(accounts, argument(given));
    if (!given.flag("ask")) return makeLink(given, accounts, user.id);
    const passwordHash = await newHash(accounts, user.email, user.name);
    const { passwordWrites, writeAndEnd } = await import("../../services/identity/set-password.ts");
    await writeAndEnd(store, null, user.id, passwordWrites(store, { id: user.id }, { passwordHash }));
    printChange(given, user, `The password of ${user.email} is changed, and all sessions have ended.`);
  });

const setDisabled = (given: Invocation, disabled: boolean) =>
  withAccounts(given, async accounts => {
    const { store, identity } = accounts;
    const user = await accountOf(accounts, argument(given));
    const change = disabled ? { $set: { disabledAt: new Date() } } : { $unset: { disabledAt: true as const } };
    await store.write([
      store.global(identity.users).ops.updateOne({ id: user.id }, change, { required: true }),
      ...(disabled ? [store.global(identity.sessions).ops.remove({ userId: user.id })] : []),
    ]);
    printChange(given, user, disabledText(user.email, disabled));
  });

const endSessions = (given: Invocation) =>
  withAccounts(given, async accounts => {
    const user = await accountOf(accounts, argument(given));
    await accounts.store.global(accounts.identity.sessions).remove({ userId: user.id });
    printChange(given, user, `All sessions of ${user.email} have ended.`);
  });

const remove = (given: Invocation) =>
  withAccounts(given, async accounts => {
    const { store } = accounts;
    const user = await accountOf(accounts, argument(given));
    const [{ markUserDeleted }, { namesOfSolelyOwned }, model] = await Promise.all([
      import("../../services/identity/remove-user.ts"),
      import("../../services/workspaces/owned-alone.ts"),
      import("../../services/workspaces/model.ts"),
    ]);
    await store.register([model.workspaces, model.members]);
    const names = await namesOfSolelyOwned(store, user.id);
    if (names.length > 0) {
      const them = withoutControls(names.join(", "));
      throw new CommandError(`${user.email} alone owns ${them}. First use: weft workspaces transfer, or delete.`);
    }
    await markUserDeleted(store, null, user.id);
    printChange(given, user, `${user.email} is deleted. A running Weft removes what belonged to the account.`);
  });

const removeFactors = (given: Invocation) =>
  withAccounts(given, async accounts => {
    const { store, identity } = accounts;
    const user = await accountOf(accounts, argument(given));
    await store.write([
      store.global(identity.totps).ops.remove({ id: user.id }),
      store.global(identity.passkeys).ops.remove({ userId: user.id }),
      store.global(identity.recoveries).ops.remove({ id: user.id }),
    ]);
    printChange(given, user, `${user.email} signs in by password alone.`);
  });

const REFUSALS = 200;

const refusals = (given: Invocation) =>
  withAccounts(given, async ({ store, identity }) => {
    const newest = { sort: { id: -1 as const }, limit: REFUSALS };
    const { items } = await store
      .global(identity.accountEvents)
      .find({ userId: { $gte: "sso:", $lt: "sso;" } }, newest);
    const { timeOfId } = await import("../../core/id-time.ts");
    const shown = items.map(({ id, detail = "", address = null, userAgent = null }) => {
      const at = timeOfId(id).toISOString();
      return { at, provider: detail.split(":", 1)[0] ?? "", reason: detail.replace(/^\w+: /, ""), address, userAgent };
    });
    if (given.flag("json")) return printResult(jsonText(shown));
    const rows = shown.map(({ at, provider, reason, address }) => [
      timeText(at),
      provider,
      withoutControls(reason),
      address ?? "",
    ]);
    printResult(table(["AT", "PROVIDER", "REASON", "ADDRESS"], rows));
  });

export const USERS: Command[] = [
  {
    name: "users list",
    summary: "List the accounts of the installation",
    options: {
      search: { type: "string", value: "text", help: "only accounts whose address begins with this" },
      ...EITHER,
    },
    notes: LOCAL_OR_API_NOTES,
    run: localOrApi(list, api.list),
  },
  {
    name: "users create",
    args: "<e-mail>",
    summary: "Create an account and print the link that sets its password",
    options: {
      ...PASSWORD,
      name: { type: "string", value: "name", help: "the name that others see" },
      ...EITHER,
    },
    notes: LOCAL_OR_API_NOTES,
    run: localOrApi(create, api.create),
  },
  {
    name: "users reset-password",
    args: "<e-mail>",
    summary: "Print a link that sets a new password",
    options: { ...PASSWORD, ...EITHER },
    notes: ["The link works once, for 24 hours. With --ask, the password changes at once.", ...LOCAL_OR_API_NOTES],
    run: localOrApi(resetPassword, api.resetPassword),
  },
  {
    name: "users remove-factors",
    args: "<e-mail>",
    summary: "Remove the second factors of a person who has lost them",
    options: EITHER,
    notes: LOCAL_OR_API_NOTES,
    run: localOrApi(removeFactors, api.removeFactors),
  },
  {
    name: "users end-sessions",
    args: "<e-mail>",
    summary: "End all sessions of an account",
    options: EITHER,
    notes: LOCAL_OR_API_NOTES,
    run: localOrApi(endSessions, api.endSessions),
  },
  {
    name: "users refusals",
    summary: "List the latest sign-ins by a provider that were refused, and why",
    options: DATA_DIR_OPTION,
    notes: LOCAL_OR_API_NOTES.slice(0, 1),
    run: refusals,
  },
  {
    name: "users disable",
    args: "<e-mail>",
    summary: "Disable an account: its sessions end, and its API keys stop",
    options: EITHER,
    notes: LOCAL_OR_API_NOTES,
    run: localOrApi(
      given => setDisabled(given, true),
      given => api.setDisabled(given, true),
    ),
  },
  {
    name: "users delete",
    args: "<e-mail>",
    summary: "Delete an account, with the workspaces that have no other member",
    options: EITHER,
    notes: LOCAL_OR_API_NOTES,
    run: localOrApi(remove, api.remove),
  },
  {
    name: "users enable",
    args: "<e-mail>",
    summary: "Enable a disabled account",
    options: EITHER,
    notes: LOCAL_OR_API_NOTES,
    run: localOrApi(
      given => setDisabled(given, false),
      given => api.setDisabled(given, false),
    ),
  },
];
