import { newAttempt, type OidcAttempt, type ProvedPerson } from "../../adapters/oauth/oidc.ts";
import { SignInFault } from "../../adapters/oauth/sign-in-fault.ts";
import { AppError } from "../../contracts/errors.ts";
import { recordEvent } from "./account-events.ts";
import { markSpent } from "./spent-tokens.ts";
import { type Provider, providerOf, redirectUri, type SsoSelf } from "./sso-providers.ts";

const LIFETIME_MS = 600_000;

interface Attempt extends OidcAttempt {
  until: number;
  /** Set when a signed-in person links the provider to the account. */
  userId?: string;
  invite?: string;
}

interface Answer {
  provider: string;
  attempt: string;
  query: string;
}

type Asking = Parameters<typeof recordEvent>[3];

/**
 * Records a refusal for the operator, and for the person if the account is certain.
 * @returns the error to throw
 */
export async function refusal(
  self: SsoSelf,
  { settings }: Provider,
  asking: Asking,
  error: AppError | SignInFault,
  userId?: string,
): Promise<AppError> {
  const isFault = error instanceof SignInFault;
  const detail = `${settings.id}: ${error.message}`;
  if (!isFault || !error.passing) {
    await recordEvent(self, `sso:${settings.id}`, "sso_refused", asking, detail);
    if (userId !== undefined) await recordEvent(self, userId, "sso_refused", asking, detail);
  }
  self.logger.warn("A sign-in by a provider failed.", { provider: settings.id, reason: error.message });
  if (!isFault) return error;
  return new AppError(error.passing ? "sso_unavailable" : "sso_refused", { detail: error.message });
}

/**
 * Begins a sign-in through a provider.
 * @throws {AppError} not_found, sso_refused, sso_unavailable
 */
export async function beginAttempt(
  self: SsoSelf,
  id: string,
  asking: Asking,
  more: Pick<Attempt, "userId" | "invite"> = {},
): Promise<{ url: string; attempt: string }> {
  const provider = providerOf(self, id);
  const attempt: Attempt = { ...newAttempt(), ...more, until: Date.now() + LIFETIME_MS };
  const url = await provider.client.authorizeUrl(attempt, redirectUri(provider)).catch(async (error: unknown) => {
    throw await refused(self, provider, asking, error);
  });
  return { url, attempt: self.attemptSealer.seal(JSON.stringify(attempt), id) };
}

const refused = (self: SsoSelf, provider: Provider, asking: Asking, error: unknown): Promise<unknown> =>
  error instanceof SignInFault ? refusal(self, provider, asking, error) : Promise.resolve(error);

/** The sealed attempt belongs to one provider, so a response of one provider proves nothing at another. */
function openAttempt(self: SsoSelf, { provider, attempt }: Answer): Attempt {
  let opened: Attempt;
  try {
    opened = JSON.parse(self.attemptSealer.open(attempt, provider)) as Attempt;
  } catch (error) {
    throw new SignInFault("The sign-in was not begun here, or it was begun with another provider.", false, error);
  }
  if (opened.until <= Date.now()) throw new SignInFault("The sign-in took longer than ten minutes. Begin again.");
  return opened;
}

/**
 * What the provider proves about the person. An attempt works once.
 * @throws {AppError} not_found, sso_refused, sso_unavailable
 */
export async function proveAttempt(
  self: SsoSelf,
  answer: Answer,
  asking: Asking,
  userId?: string,
): Promise<{ provider: Provider; person: ProvedPerson; invite: string | undefined }> {
  const provider = providerOf(self, answer.provider);
  try {
    const attempt = openAttempt(self, answer);
    if (attempt.userId !== userId) throw new SignInFault("The sign-in was begun by another person.");
    if (!(await markSpent(self, `attempt ${attempt.state}`, attempt.until)))
      throw new SignInFault("The answer of the provider was used already.");
    const callback = new URLSearchParams(answer.query);
    const person = await provider.client.prove(callback, attempt, redirectUri(provider));
    return { provider, person, invite: attempt.invite };
  } catch (error) {
    throw await refused(self, provider, asking, error);
  }
}
