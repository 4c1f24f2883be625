import { accountOf, type Accounts, withAccounts } from "../accounts.ts";
import { argument, type Command, type Given, type Options } from "../command.ts";
import { DATA_DIR_OPTION } from "../installation.ts";
import { askSecret } from "../read-input.ts";
import { clean, jsonText, say, table, when } from "../terminal.ts";

const PAGE = 500;
const LINK_MS = 24 * 3_600_000;
const NOTES = [
  "It works on the store that the environment names (DATA_DIR, MONGODB_URI), not through --url. Weft may be running.",
];
const PASSWORD: Options = {
  ask: { type: "boolean", help: "ask for the password, or read it from standard input, instead of making a link" },
};

/** Prints the link by which a person sets a new password. */
async function sayLink(given: Given, { store, keyring, settings }: Accounts, userId: string): Promise<void> {
  const [{ hashKey }, { openReset, resetLink }, { publicUrl }] = await Promise.all([
    import("../../adapters/secrets/hash-key.ts"),
    import("../../services/identity/reset-password.ts"),
    import("../../service-kit/public-url.ts"),
  ]);
  const { id, expiresAt } = await openReset(store, userId, LINK_MS);
  const link = resetLink(await hashKey(store, keyring), id, publicUrl(settings));
  const until = expiresAt.toISOString();
  if (given.flag("json")) return say(jsonText({ link, expiresAt: until }));
  say(`This link sets a new password. It works once, until ${when(until)}:`);
  say(link);
}

async function newHash({ settings }: Accounts, email: string, name: string | null): Promise<string> {
  const { hashGiven } = await import("../../services/identity/operate.ts");
  const text = (await askSecret("New password: ")).replace(/\r?\n$/, "");
  return hashGiven(text, [email, name], settings.PASSWORDS_BREACHED);
}

const done = (given: Given, account: { id: string; email: string }, text: string) =>
  say(given.flag("json") ? jsonText({ id: account.id, email: account.email }) : clean(text));

const list = (given: Given) =>
  withAccounts(given, async ({ store, identity }) => {
    const rows = [];
    for (let after: string | null = null, more = true; more;) {
      const { items, next } = await store.global(identity.users).find({}, { limit: PAGE, after });
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
    if (given.flag("json")) return say(jsonText(shown));
    const cells = shown.map(user => [
      clean(user.email),
      clean(user.name ?? ""),
      when(user.createdAt),
      user.disabledAt ? `disabled ${when(user.disabledAt)}` : "",
      user.id,
    ]);
    say(table(["E-MAIL", "NAME", "REGISTERED", "", "ID"], cells));
  });

const create = (given: Given) =>
  withAccounts(given, async accounts => {
    const { createAccount, readPerson, unknownHash } = await import("../../services/identity/operate.ts");
    const { email, name } = readPerson(argument(given), given.text("name"));
    const asked = given.flag("ask");
    const passwordHash = asked ? await newHash(accounts, email, name) : await unknownHash();
    const user = await createAccount(accounts.store, { email, name, passwordHash });
    if (asked) return done(given, user, `${email} has an account.`);
    return sayLink(given, accounts, user.id);
  });

const resetPassword = (given: Given) =>
  withAccounts(given, async accounts => {
    const { store } = accounts;
    const user = await accountOf(accounts, argument(given));
    if (!given.flag("ask")) return sayLink(given, accounts, user.id);
    const passwordHash = await newHash(accounts, user.email, user.name);
    const { passwordWrites, writeAndEnd } = await import("../../services/identity/set-password.ts");
    await writeAndEnd(store, null, user.id, passwordWrites(store, { id: user.id }, { passwordHash }));
    done(given, user, `The password of ${user.email} is changed, and all sessions have ended.`);
  });

const setDisabled = (given: Given, disabled: boolean) =>
  withAccounts(given, async accounts => {
    const { store, identity } = accounts;
    const user = await accountOf(accounts, argument(given));
    const change = disabled ? { $set: { disabledAt: new Date() } } : { $unset: { disabledAt: true as const } };
    await store.write([
      store.global(identity.users).ops.updateOne({ id: user.id }, change, { required: true }),
      ...(disabled ? [store.global(identity.sessions).ops.remove({ userId: user.id })] : []),
    ]);
    done(
      given,
      user,
      disabled ? `${user.email} is disabled, and all sessions have ended.` : `${user.email} is enabled.`,
    );
  });

const removeFactors = (given: Given) =>
  withAccounts(given, async accounts => {
    const { store, identity } = accounts;
    const user = await accountOf(accounts, argument(given));
    await store.write([
      store.global(identity.totps).ops.remove({ id: user.id }),
      store.global(identity.passkeys).ops.remove({ userId: user.id }),
      store.global(identity.recoveries).ops.remove({ id: user.id }),
    ]);
    done(given, user, `${user.email} signs in by password alone.`);
  });

const REFUSALS = 200;

const refusals = (given: Given) =>
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
    if (given.flag("json")) return say(jsonText(shown));
    const rows = shown.map(({ at, provider, reason, address }) => [when(at), provider, clean(reason), address ?? ""]);
    say(table(["AT", "PROVIDER", "REASON", "ADDRESS"], rows));
  });

export const USERS: Command[] = [
  {
    name: "users list",
    summary: "List the accounts of the installation on this machine",
    options: DATA_DIR_OPTION,
    notes: NOTES,
    run: list,
  },
  {
    name: "users create",
    args: "<e-mail>",
    summary: "Create an account and print the link that sets its password",
    options: {
      ...PASSWORD,
      name: { type: "string", value: "name", help: "the name that others see" },
      ...DATA_DIR_OPTION,
    },
    notes: NOTES,
    run: create,
  },
  {
    name: "users reset-password",
    args: "<e-mail>",
    summary: "Print a link that sets a new password",
    options: { ...PASSWORD, ...DATA_DIR_OPTION },
    notes: ["The link works once, for 24 hours. With --ask, the password changes at once.", ...NOTES],
    run: resetPassword,
  },
  {
    name: "users remove-factors",
    args: "<e-mail>",
    summary: "Remove the second factors of a person who has lost them",
    options: DATA_DIR_OPTION,
    notes: NOTES,
    run: removeFactors,
  },
  {
    name: "users refusals",
    summary: "List the latest sign-ins by a provider that were refused, and why",
    options: DATA_DIR_OPTION,
    notes: NOTES,
    run: refusals,
  },
  {
    name: "users disable",
    args: "<e-mail>",
    summary: "Disable an account: its sessions end, and its API keys stop",
    options: DATA_DIR_OPTION,
    notes: NOTES,
    run: given => setDisabled(given, true),
  },
  {
    name: "users enable",
    args: "<e-mail>",
    summary: "Enable a disabled account",
    options: DATA_DIR_OPTION,
    notes: NOTES,
    run: given => setDisabled(given, false),
  },
];
