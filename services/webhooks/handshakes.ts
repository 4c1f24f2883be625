import { timingSafeEqual } from "node:crypto";
import type { Verdict } from "../../contracts/actions/webhooks.ts";
import { HMAC_PRESETS, type SignatureScheme } from "../../contracts/entities/webhook-auth.ts";
import { keyedHash } from "../../service-kit/keyed-hash.ts";
import { authOf, type WebhookDoc } from "./model.ts";
import { openSecrets } from "./sealed-secrets.ts";
import type { WebhooksService } from "./service.ts";

type Handshake = NonNullable<Verdict["handshake"]>;

/** Longer than the challenges of all supported services. The response repeats the challenge. */
const MAX_CHALLENGE = 4_096;

const echo = (challenge: string | null): Handshake | undefined =>
  challenge === null || challenge === "" || challenge.length > MAX_CHALLENGE
    ? undefined
    : { status: 200, headers: { "content-type": "text/plain" }, body: challenge };

function sameText(key: string, a: string, b: string): boolean {
  const hash = (text: string) => keyedHash(key, "webhook verify token", text);
  return timingSafeEqual(hash(a), hash(b));
}

/**
 * Meta verifies an address with an unsigned GET and a token that its user chose.
 * https://developers.facebook.com/docs/graph-api/webhooks/getting-started
 */
function meta(service: WebhooksService, webhook: Readonly<WebhookDoc>, search: string): Handshake | undefined {
  const query = new URLSearchParams(search);
  if (query.get("hub.mode") !== "subscribe") return undefined;
  const wanted = openSecrets(service.sealer, webhook)?.verifyToken;
  const given = query.get("hub.verify_token");
  if (wanted === undefined || given === null || !sameText(service.hashKey, given, wanted)) return undefined;
  return echo(query.get("hub.challenge"));
}

/**
 * The response to a handshake that comes before a signature can be checked.
 * @returns undefined if the request is not a handshake
 */
export function openHandshake(
  service: WebhooksService,
  webhook: Readonly<WebhookDoc>,
  { method, search }: { method: string; search: string },
): Handshake | undefined {
  const auth = authOf(webhook);
  const isMeta = auth.type === "hmac" && auth.preset === "meta";
  return isMeta && method === "GET" ? meta(service, webhook, search) : undefined;
}

/** Slack signs its handshake. https://docs.slack.dev/reference/events/url_verification */
function slack(body: unknown): Handshake | undefined {
  const { type, challenge } = (body ?? {}) as { type?: unknown; challenge?: unknown };
  return type === "url_verification" && typeof challenge === "string" ? echo(challenge) : undefined;
}

/** The JSON value of a body; undefined if it is not JSON. Call it only after the signature was checked. */
export function jsonOf(body: Buffer | undefined): unknown {
  try {
    return body && JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/**
 * The response to a handshake of an authenticated sender.
 * https://learn.microsoft.com/graph/change-notifications-delivery-webhooks
 */
export function admittedHandshake(
  webhook: Readonly<WebhookDoc>,
  { method, search, body }: { method: string; search: string; body: Buffer | undefined },
): Handshake | undefined {
  const auth = authOf(webhook);
  if (auth.type === "path" && auth.preset === "microsoft-graph" && method === "POST") {
    return echo(new URLSearchParams(search).get("validationToken"));
  }
  if (auth.type !== "hmac" || auth.preset === undefined) return undefined;
  const { handshake }: SignatureScheme = HMAC_PRESETS[auth.preset];
  return handshake === "slack" ? slack(jsonOf(body)) : undefined;
}
