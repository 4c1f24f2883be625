import type { Sealer } from "../../adapters/secrets/sealer.ts";
import { AppError } from "../../contracts/errors.ts";
import { type NewWebhookAuth, schemeOf, type WebhookAuth } from "../../contracts/entities/webhook-auth.ts";
import { basicText } from "../../service-kit/authorization.ts";
import { standardKey } from "../../service-kit/signature.ts";
import type { WebhookDoc } from "./model.ts";
import { openSecrets, ROTATION_MS, type SealedSecrets, sealSecrets, withPrevious } from "./sealed-secrets.ts";
import { makeSecret, noSecretHash, secretHash } from "./secret.ts";

/** The authentication fields of a document. One write sets all of them, so no earlier value remains. */
type AuthFields = Pick<
  WebhookDoc,
  "auth" | "secretHash" | "secrets" | "credentialId" | "previousHashes" | "previousUntil"
>;

/** The stored fields of a change of secrets, and the values that its caller sees once. */
export interface NewSecrets {
  fields: AuthFields;
  shown: { secret?: string; verifyToken?: string };
}

interface Keys {
  hashKey: string;
  sealer: Sealer;
}

const URL_SAFE = /^[\w.~-]{16,200}$/;

/** Checks the secret in a request. `pointer` is its place in the request. */
function checkGiven(auth: WebhookAuth, secret: string, pointer: string): void {
  const fault = (message: string) => new AppError("validation_failed", { errors: [{ path: pointer, message }] });
  if (!/^[\x20-\x7e]{16,1000}$/.test(secret)) throw fault("Expected 16 to 1,000 printable ASCII characters");
  if (auth.type === "path" && !URL_SAFE.test(secret)) throw fault("Expected 16 to 200 letters, digits or any of -._~");
  if (auth.type === "hmac" && schemeOf(auth).key === "whsec" && !standardKey(secret)) {
    throw fault("Expected the base64 of at least 16 bytes, after whsec_");
  }
}

const make = (auth: WebhookAuth): string => makeSecret(auth.type === "hmac" ? schemeOf(auth).key : undefined);

const hashOf = (hashKey: string, auth: WebhookAuth, secret: string): string =>
  secretHash(hashKey, auth.type === "basic" ? basicText(auth.username, secret) : secret);

/**
 * The fields of a new authentication. Earlier secrets end at once.
 * @throws {AppError} validation_failed when the given secret does not fit the type
 */
export function setAuth({ hashKey, sealer }: Keys, id: string, given: NewWebhookAuth): NewSecrets {
  const {
    secret: own,
    verifyToken: token,
    ...rest
  } = given as NewWebhookAuth & {
    secret?: string;
    verifyToken?: string;
  };
  const auth = rest;
  const credentialId = auth.type === "hmac" ? auth.credential : undefined;
  const none = { auth, secrets: null, ...(credentialId && { credentialId }), previousHashes: [], previousUntil: null };
  if (auth.type === "none") return { fields: { ...none, secretHash: noSecretHash() }, shown: {} };
  if (own !== undefined) checkGiven(auth, own, "/auth/secret");
  const isHeld = credentialId !== undefined;
  const secret = own ?? make(auth);
  const shown = own === undefined && !isHeld ? { secret } : {};
  if (auth.type !== "hmac") return { fields: { ...none, secretHash: hashOf(hashKey, auth, secret) }, shown };
  const verifyToken = auth.preset === "meta" ? (token ?? makeSecret()) : undefined;
  const sealed: SealedSecrets = {
    ...(!isHeld && { current: secret }),
    previous: [],
    ...(verifyToken !== undefined && { verifyToken }),
  };
  return {
    fields: { ...none, secrets: sealSecrets(sealer, id, sealed), secretHash: noSecretHash() },
    shown: { ...shown, ...(verifyToken !== undefined && token === undefined && { verifyToken }) },
  };
}

/**
 * The fields after a rotation. The previous secret is accepted for another day.
 * @throws {AppError} validation_failed when there is no secret, or the given one does not fit the type
 */
export function rotate(
  { hashKey, sealer }: Keys,
  webhook: WebhookDoc,
  auth: WebhookAuth,
  own: string | undefined,
): NewSecrets {
  if (auth.type === "none") throw new AppError("validation_failed", { detail: "This webhook has no secret." });
  if (auth.type === "hmac" && auth.credential !== undefined) {
    throw new AppError("validation_failed", {
      detail: "A credential holds the secret of this webhook. Change it there.",
    });
  }
  if (own !== undefined) checkGiven(auth, own, "/secret");
  const now = new Date();
  const until = new Date(now.getTime() + ROTATION_MS);
  const secret = own ?? make(auth);
  const shown = own === undefined ? { secret } : {};
  const ends = { until: until.toISOString() };
  const kept = { auth, previousUntil: until };
  if (auth.type !== "hmac") {
    const previousHashes = withPrevious({ hash: webhook.secretHash, ...ends }, webhook.previousHashes ?? [], now);
    return { fields: { ...kept, secrets: null, previousHashes, secretHash: hashOf(hashKey, auth, secret) }, shown };
  }
  const old = openSecrets(sealer, webhook);
  const previous = old?.current === undefined ? [] : withPrevious({ secret: old.current, ...ends }, old.previous, now);
  const secrets = sealSecrets(sealer, webhook.id, { ...old, current: secret, previous });
  return { fields: { ...kept, secrets, previousHashes: [], secretHash: noSecretHash() }, shown };
}
