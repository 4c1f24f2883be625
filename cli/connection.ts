import { isUsable, type SignedIn, type TokenSource, Weft } from "../sdk/index.ts";
import { CommandError, type Invocation, UsageError } from "./command.ts";
import { type Account, changeConfig, readConfig } from "./config-file.ts";

/** Matches the address of a service on this machine. */
export const LOOPBACK = /^http:\/\/(localhost|127\.[\d.]+|\[::1\])(:|\/|$)/i;
const DEFAULT_URL = "http://127.0.0.1:3000";
/** At a terminal, a quick error message is better than many retries. */
const MAX_RETRIES = 2;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isId = (text: string): boolean => ID.test(text);

/** The URL of the service: from the command, the environment, or the last login, in this order. */
export async function serviceUrl(given: Invocation): Promise<string> {
  const url = given.text("url") ?? process.env.WEFT_URL ?? (await readConfig()).url ?? DEFAULT_URL;
  if (!/^https?:\/\/[^/]/i.test(url)) throw new UsageError(`${JSON.stringify(url)} is not the URL of a service`);
  return url.replace(/\/+$/, "");
}

/** A client for a user who has not signed in. */
export const anonymous = (url: string): Weft => new Weft({ url, maxRetries: MAX_RETRIES });

/**
 * The token of the stored session. Processes take turns to renew it, because using an old refresh token ends the
 * session.
 */
function sessionSource(url: string): TokenSource {
  const renewed = (refused?: string) =>
    changeConfig(async ({ services }): Promise<SignedIn | undefined> => {
      const account = services[url];
      if (!account?.session || isUsable(account.session, refused)) return account?.session;
      return (account.session = await anonymous(url).identity.refresh({ refreshToken: account.session.refreshToken }));
    });
  return async refused => {
    const { session } = (await readConfig()).services[url] ?? {};
    const current = session && isUsable(session, refused) ? session : await renewed(refused);
    return current?.accessToken;
  };
}

interface Caller {
  url: string;
  /** The stored account for this service. It is empty if the credentials come from elsewhere. */
  account: Account;
  weft: Weft;
}

/** @throws {CommandError} when the user has not signed in */
export async function signedIn(given: Invocation): Promise<Caller> {
  const url = await serviceUrl(given);
  const { WEFT_API_KEY: key } = process.env;
  const account = key ? {} : ((await readConfig()).services[url] ?? {});
  const token = key ?? account.apiKey ?? (account.session ? sessionSource(url) : undefined);
  if (!token) throw new CommandError(`You are not signed in at ${url}. Use: weft login --url ${url}`);
  return { url, account, weft: anonymous(url).with({ token }) };
}

/** The item with this id or name. */
export async function findOne<T extends { id: string }>(
  all: AsyncIterable<T>,
  wanted: string,
  what: string,
  namesOf: (item: T) => string[],
): Promise<T> {
  const found: T[] = [];
  for await (const item of all) if (item.id === wanted || namesOf(item).includes(wanted)) found.push(item);
  const [first, second] = found;
  if (!first) throw new CommandError(`There is no ${what} ${JSON.stringify(wanted)}.`);
  if (second) throw new CommandError(`Several have this name. Use an id: ${found.map(({ id }) => id).join(", ")}`);
  return first;
}

export const findWorkspace = (weft: Weft, wanted: string) =>
  findOne(weft.workspaces.list({ limit: 200 }), wanted, "workspace", ({ name, slug }) => [name, slug]);

export const findSpace = (weft: Weft, wanted: string) =>
  findOne(weft.pods.spaces.list({ limit: 200 }), wanted, "space", ({ name }) => [name]);

async function workspaceOf(given: Invocation, { weft, account }: Caller): Promise<string> {
  const wanted = given.text("workspace") ?? process.env.WEFT_WORKSPACE;
  if (wanted) return isId(wanted) ? wanted : (await findWorkspace(weft, wanted)).id;
  if (account.workspaceId) return account.workspaceId;
  const { items } = await weft.workspaces.list({ limit: 2 });
  const [only, another] = items;
  if (!only) throw new CommandError("There is no workspace yet. Use: weft workspaces create <name>");
  if (another) throw new CommandError("There are several workspaces. Use: weft workspaces use <name>");
  return only.id;
}

/** A client, and the workspace to use. */
export async function inWorkspace(given: Invocation): Promise<Caller & { workspaceId: string }> {
  const caller = await signedIn(given);
  const workspaceId = await workspaceOf(given, caller);
  return { ...caller, workspaceId, weft: caller.weft.with({ workspaceId }) };
}

/**
 * A client, and the space to use: the one in the command, the stored one, or the workspace's default space, which has
 * the workspace's id.
 */
export async function inSpace(given: Invocation): Promise<Caller & { workspaceId: string; spaceId: string }> {
  const caller = await inWorkspace(given);
  const { weft, account, workspaceId } = caller;
  const wanted = given.text("space") ?? process.env.WEFT_SPACE;
  const kept = account.workspaceId === workspaceId ? account.spaceId : undefined;
  const named = wanted && !isId(wanted) ? (await findSpace(weft, wanted)).id : wanted;
  const spaceId = named || kept || workspaceId;
  return { ...caller, spaceId, weft: weft.with({ spaceId }) };
}

/** The id of a workflow, given its id or its name. */
export async function workflowId(weft: Weft, wanted: string): Promise<string> {
  if (isId(wanted)) return wanted;
  return (await findOne(weft.workflows.list({ limit: 200 }), wanted, "workflow", ({ name }) => [name])).id;
}
