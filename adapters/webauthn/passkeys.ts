import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";

/** The page that passkeys belong to: the id of the relying party is its host. */
export interface PasskeySite {
  host: string;
  origin: string;
}

export interface PasskeyKey {
  credentialId: string;
  /** COSE, base64url. */
  publicKey: string;
  counter: number;
  transports: string[];
}

/** An answer of an authenticator that proves nothing. The message says why, for the log. */
export class PasskeyFault extends Error {
  override readonly name = "PasskeyFault";
}

/** Loaded at the first use, since most processes never use it, and it takes 27 MB. */
const library = () => import("@simplewebauthn/server");
const TIMEOUT_MS = 300_000;

/** The site of an address; null where browsers allow no passkeys: without TLS, except for localhost, and for addresses. */
export function siteOf(publicUrl: string): PasskeySite | null {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
  const isSecure = protocol === "https:" || hostname === "localhost";
  return isSecure && !isAddress ? { host: hostname, origin } : null;
}

/** What a browser makes a new passkey from. It is kept on the authenticator, which verifies the person. */
export async function creationOptions(
  site: PasskeySite,
  user: { id: string; email: string; name: string | null },
  existing: readonly Pick<PasskeyKey, "credentialId" | "transports">[],
) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: "Weft",
    rpID: site.host,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name ?? user.email,
    timeout: TIMEOUT_MS,
    attestationType: "none",
    excludeCredentials: existing.map(({ credentialId: id, transports }) => ({
      id,
      transports: transports as AuthenticatorTransport[],
    })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** What a browser signs with a passkey. It names no account, so it tells nothing of who has one. */
export async function requestOptions(site: PasskeySite) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({ rpID: site.host, timeout: TIMEOUT_MS, userVerification: "required" });
}

const why = (error: unknown) => new PasskeyFault((error as Error).message.slice(0, 200));

/**
 * The passkey that a browser made.
 * @throws {PasskeyFault}
 */
export async function createdKey(
  site: PasskeySite,
  response: unknown,
  expectedChallenge: string,
): Promise<PasskeyKey & { synced: boolean }> {
  const { verifyRegistrationResponse } = await library();
  const expected = { expectedChallenge, expectedOrigin: site.origin, expectedRPID: site.host };
  const given = response as RegistrationResponseJSON;
  const { verified, registrationInfo: made } = await verifyRegistrationResponse({
    ...expected,
    response: given,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw why(error);
  });
  if (!verified) throw new PasskeyFault("The passkey could not be verified");
  const { credential, credentialBackedUp: synced } = made;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    transports: (credential.transports ?? []).slice(0, 10),
    synced,
  };
}

/**
 * Checks a signature by a passkey.
 * @returns the new counter
 * @throws {PasskeyFault} also when the counter has not grown, so that a copy may exist
 */
export async function usedKey(
  site: PasskeySite,
  response: unknown,
  expectedChallenge: string,
  { credentialId, publicKey, counter }: Omit<PasskeyKey, "transports">,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    credential: { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")), counter },
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw why(error);
  });
  if (!verified) throw new PasskeyFault("The signature is wrong");
  return authenticationInfo.newCounter;
}
