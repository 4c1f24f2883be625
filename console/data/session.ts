import { useSyncExternalStore } from "react";
import { Weft } from "../../sdk/weft.ts";
import type { BrowserSession, Profile } from "../../sdk/definition.ts";

/** The session of this tab. The access token is only in memory. The session itself is in an httpOnly cookie. */
export type SessionState = { status: "unknown" } | { status: "out" } | ({ status: "in" } & BrowserSession);

/** The token is renewed this long before it expires, to allow for differing clocks and slow requests. */
const MARGIN_MS = 30_000;
/** A header that the session routes require from the page. */
export const OWN_PAGE = { headers: { "weft-console": "1" } };

/** A client without a token, for the session routes and public routes. */
export const anonymous = new Weft({ url: location.origin });

let state: SessionState = { status: "unknown" };
let renewal: Promise<SessionState> | undefined;
const listeners = new Set<() => void>();
/** Tells other tabs about a sign-in or a sign-out. */
const tabs = new BroadcastChannel("weft:session");

function become(next: SessionState): SessionState {
  state = next;
  for (const listener of listeners) listener();
  return next;
}

const entered = (session: BrowserSession | null): SessionState =>
  become(session ? { status: "in", ...session } : { status: "out" });

tabs.onmessage = ({ data }: MessageEvent<unknown>) => {
  if (data === "out") become({ status: "out" });
  else if (state.status === "out") void renew();
};

/**
 * Returns the answer that `early.js` requested, once. Undefined if it requested none, or the answer is not a session.
 */
async function earlySession(): Promise<BrowserSession | null | undefined> {
  const early = globalThis as { weftSession?: Promise<Response> | undefined };
  const asked = early.weftSession;
  early.weftSession = undefined;
  try {
    const response = await asked;
    return response?.ok ? ((await response.json()) as BrowserSession | null) : undefined;
  } catch {
    return undefined;
  }
}

async function askSession(): Promise<BrowserSession | null> {
  const early = await earlySession();
  return early === undefined ? anonymous.identity.browser.token({}, OWN_PAGE) : early;
}

/** Requests a new access token. Simultaneous callers share one request. */
function renew(): Promise<SessionState> {
  renewal ??= askSession()
    .then(entered)
    .finally(() => (renewal = undefined));
  return renewal;
}

/** Returns the session, and asks the service if this tab does not know it yet. */
export const knownSession = async (): Promise<SessionState> => (state.status === "unknown" ? renew() : state);

/** The bearer token for the next request. `refused` is a token that the service did not accept. */
export async function accessToken(refused?: string): Promise<string | undefined> {
  const usable =
    state.status === "in" && state.accessToken !== refused && Date.parse(state.expiresAt) - Date.now() > MARGIN_MS;
  const current = usable ? state : await renew();
  return current.status === "in" ? current.accessToken : undefined;
}

/** `code` is the second factor, if the account has one. */
export async function signIn(email: string, password: string, code?: string): Promise<void> {
  const given = { email, password, ...(code !== undefined && { code }) };
  entered(await anonymous.identity.browser.login(given, OWN_PAGE));
  tabs.postMessage("in");
}

export async function signUp(person: {
  email: string;
  password: string;
  name?: string;
  invite?: string;
}): Promise<void> {
  entered(await anonymous.identity.browser.register(person, OWN_PAGE));
  tabs.postMessage("in");
}

/** Starts the session that another way to sign in returned. */
export async function enter(session: Promise<BrowserSession>): Promise<void> {
  entered(await session);
  tabs.postMessage("in");
}

/** Ends the session in all tabs. */
export async function endSession(): Promise<void> {
  await anonymous.identity.browser.logout({}, OWN_PAGE);
  become({ status: "out" });
  tabs.postMessage("out");
}

/** Updates the profile everywhere on the page. */
export function setUser(user: Profile): void {
  if (state.status === "in") become({ ...state, user });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSession = (): SessionState => useSyncExternalStore(subscribe, () => state);
export const onSession = subscribe;
export const sessionNow = (): SessionState => state;

/** The signed-in user. Only pages that require a sign-in may call it. */
export function useMe(): Profile {
  const session = useSession();
  if (session.status !== "in") throw new Error("This page is for people who are signed in");
  return session.user;
}
