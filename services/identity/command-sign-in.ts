import { createHash } from "node:crypto";
import { handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { originOf, recordEvent } from "./account-events.ts";
import { sessionOfCookie } from "./browser-session.ts";
import { type SessionDoc, sessions, users } from "./model.ts";
import { signIn } from "./begin-session.ts";
import { markSpent } from "./spent-tokens.ts";
import type { SsoSelf } from "./sso-providers.ts";

/** How long a person may take to copy the code from the page to the command. */
const LIFETIME_MS = 300_000;

const contextOf = (challenge: string) => `command ${challenge}`;
const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

/**
 * Creates a code with which a command signs in as the person of the browser's session. This requires the cookie,
 * because a session outlasts an access token. The code is sealed for the challenge, so nothing is stored, and only the
 * command with the verifier can use it.
 */
export const commandCode = handle<"identity.browser.commandCode", SsoSelf>(
  "identity.browser.commandCode",
  async function (ctx) {
    const { session: given, challenge } = ctx.params;
    const session = await sessionOfCookie(this, given);
    if (!session) throw new AppError("unauthenticated");
    const until = Date.now() + LIFETIME_MS;
    const code = this.attemptSealer.seal(`${session.id} ${until}`, contextOf(challenge));
    return { code, expiresAt: new Date(until).toISOString() };
  },
);

/**
 * The browser session that created a code. The code works once, while the session lasts.
 * @throws {AppError} invalid_code
 */
async function sessionOfCode(self: SsoSelf, code: string, verifier: string): Promise<SessionDoc> {
  const challenge = challengeOf(verifier);
  let opened: string;
  try {
    opened = self.attemptSealer.open(code, contextOf(challenge));
  } catch {
    throw new AppError("invalid_code");
  }
  const [id = "", end] = opened.split(" ");
  const until = Number(end);
  // The challenge identifies the code, because one code can be written in several ways.
  if (!(until > Date.now()) || !(await markSpent(self, contextOf(`${challenge} ${id}`), until)))
    throw new AppError("invalid_code");
  const session = await self.store.global(sessions).get({ id });
  if (!session?.browser || session.expiresAt <= new Date()) throw new AppError("invalid_code");
  return session;
}

/**
 * Begins a session of a program. It inherits the second factor of the browser's session, and a logout at the provider
 * ends both.
 */
export const loginByCode = handle<"identity.loginByCode", SsoSelf>("identity.loginByCode", async function (ctx) {
  const { code, verifier } = ctx.params;
  const { userId, factor, provider, providerSid } = await sessionOfCode(this, code, verifier);
  const user = await this.store.global(users).get({ id: userId });
  if (!user) throw new AppError("invalid_code");
  if (user.disabledAt) throw new AppError("account_disabled");
  const session = await signIn(this.store, user, {
    ...originOf(ctx),
    ...(factor !== undefined && { factor }),
    ...(provider !== undefined && { provider }),
    ...(providerSid !== undefined && { providerSid }),
  });
  await recordEvent(this, userId, "signed_in", ctx, "by a code of the web page");
  return session;
});
