import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";

/** The site that passkeys belong to. The id of the relying party is its host. */
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

/** An authenticator's answer is not valid. The message says why, for the log. */
export class PasskeyFault extends Error {
  override readonly name = "PasskeyFault";
}

/** Loaded at first use, because most processes never use it and it takes 27 MB. */
const library = () => import("@simplewebauthn/server");
const TIMEOUT_MS = 300_000;

/**
 * The site of an address; null if browsers allow no passkeys there. They require TLS (except for localhost) and a name
 * instead of an IP address.
 */
export function siteOf(publicUrl: string): PasskeySite | null {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
  const isSecure = protocol === "https:" || hostname === "localhost";
  return isSecure && !isAddress ? { host: hostname, origin } : null;
}

/** The options with which a browser creates a passkey. The authenticator stores the passkey and verifies the person. */
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

/** The options with which a browser signs. They name no account, so they do not reveal who has a passkey. */
export async function requestOptions(site: PasskeySite) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({ rpID: site.host, timeout: TIMEOUT_MS, userVerification: "required" });
}

const why = (error: unknown) => new PasskeyFault((error as Error).message.slice(0, 200));

/**
 * Checks a new passkey from a browser.
 * @throws {PasskeyFault} when it is not valid
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
 * @throws {PasskeyFault} when it is not valid; also when the counter has not grown, because a copy may exist then
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
