import { DEFAULT_HEADER, type HmacAuth, schemeOf } from "../../contracts/entities/webhook-auth.ts";
import { errorCode } from "../../contracts/errors.ts";
import { basicOf } from "../../service-kit/authorization.ts";
import { checkLongSignature, checkSignature, readClaim, type SignedDelivery } from "../../service-kit/signature.ts";
import { authOf, type WebhookDoc } from "./model.ts";
import { openSecrets, stillValid } from "./sealed-secrets.ts";
import { isSecret } from "./secret.ts";
import type { WebhooksService } from "./service.ts";

/** The known facts of a delivery when its sender is checked. */
export interface ArrivedDelivery {
  /** The value of `x-webhook-secret`. */
  secret: string;
  headers: Readonly<Record<string, string>>;
  token?: string | undefined;
  /** Undefined until the body is read. */
  body?: SignedDelivery["body"] | undefined;
}

export type Checked =
  | { is: "refused"; reason: string }
  /** Needs the body, because only the body allows checking the signature. */
  | { is: "signed" }
  /** `signature` identifies the signed content, if the signature also covers a time. */
  | { is: "admitted"; signature?: string };

/** The text that proves the sender, for authentication types that compare a secret. */
function proofOf(webhook: Readonly<WebhookDoc> | null, { secret, headers, token }: ArrivedDelivery): string {
  const auth = webhook ? authOf(webhook) : ({ type: "header", name: DEFAULT_HEADER } as const);
  if (auth.type === "basic") return basicOf(headers.authorization);
  if (auth.type === "path") return token ?? "";
  if (auth.type === "header" && auth.name !== DEFAULT_HEADER) return headers[auth.name] ?? "";
  return secret;
}

function compareSecret(
  { hashKey }: WebhooksService,
  webhook: Readonly<WebhookDoc> | null,
  arrived: ArrivedDelivery,
): Checked {
  const proof = proofOf(webhook, arrived);
  const previous = stillValid(webhook?.previousHashes ?? [], new Date());
  // Compares every hash, so that the time does not reveal which one matched.
  const hashes = [webhook?.secretHash, ...previous.map(({ hash }) => hash)];
  const matches = hashes.map(hash => isSecret(hashKey, proof, hash));
  if (webhook && matches.includes(true)) return { is: "admitted" };
  return { is: "refused", reason: proof === "" ? "secret_missing" : "secret_wrong" };
}

/** The currently accepted secrets, the current one first. */
async function secretsOf(
  service: WebhooksService,
  webhook: Readonly<WebhookDoc>,
  { credential }: HmacAuth,
): Promise<string[]> {
  if (credential !== undefined) {
    return service.keyOf(webhook, credential).then(
      key => [key],
      (error: unknown) => {
        // The credential was removed, or is no longer available in this space. The sender must not learn that.
        if (errorCode(error) === "validation_failed") return [];
        throw error;
      },
    );
  }
  const secrets = openSecrets(service.sealer, webhook);
  const previous = stillValid(secrets?.previous ?? [], new Date()).map(({ secret }) => secret);
  return [...(secrets?.current === undefined ? [] : [secrets.current]), ...previous];
}

async function checkHmac(
  service: WebhooksService,
  webhook: Readonly<WebhookDoc>,
  auth: HmacAuth,
  { headers, body }: ArrivedDelivery,
): Promise<Checked> {
  const scheme = schemeOf(auth);
  const now = Date.now();
  if (!body) {
    const claim = readClaim(scheme, headers, now);
    return "refused" in claim ? { is: "refused", reason: claim.refused } : { is: "signed" };
  }
  const accepted = await secretsOf(service, webhook, auth);
  if (accepted.length === 0) return { is: "refused", reason: "secret_lost" };
  const checked = Buffer.isBuffer(body)
    ? checkSignature(scheme, accepted, { headers, body }, now)
    : await checkLongSignature(scheme, accepted, { headers, body }, now);
  if ("refused" in checked) return { is: "refused", reason: checked.refused };
  return { is: "admitted", ...(scheme.timestamp && { signature: checked.signature }) };
}

/**
 * Whether a delivery comes from the webhook's sender. The check takes the same time if the webhook does not exist.
 * @throws {AppError} unavailable when a credential cannot be opened now
 */
export async function authenticate(
  service: WebhooksService,
  webhook: Readonly<WebhookDoc> | null,
  arrived: ArrivedDelivery,
): Promise<Checked> {
  const auth = webhook && authOf(webhook);
  if (auth?.type === "none") return { is: "admitted" };
  if (webhook && auth?.type === "hmac") return checkHmac(service, webhook, auth, arrived);
  return compareSecret(service, webhook, arrived);
}
