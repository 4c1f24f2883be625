import type { OutputOf, ParamsOf } from "../../contracts/actions.ts";
import { handle } from "../../contracts/call.ts";
import { HMAC_PRESETS, type SignatureScheme } from "../../contracts/entities/webhook-auth.ts";
import type { SignedDelivery } from "../../service-kit/signature.ts";
import { type Checked, authenticate } from "./authenticate.ts";
import { admittedHandshake, jsonOf, openHandshake } from "./handshakes.ts";
import { authOf, methodsOf, respondOf, type WebhookDoc } from "./model.ts";
import { makePass } from "./pass.ts";
import { findAnywhere, type WebhooksService } from "./service.ts";

type Arrived = ParamsOf<"webhooks.verify">;
type Verdict = OutputOf<"webhooks.verify">;

const MAX_EVENT_ID = 255;

/**
 * Identifies a delivery by its signed content. Unsigned headers cannot identify it, because an attacker who repeats a
 * delivery would change them.
 */
function deliveryIdOf(webhook: Readonly<WebhookDoc>, checked: Checked, body: Buffer | undefined): string | undefined {
  const auth = authOf(webhook);
  if (auth.type !== "hmac" || checked.is !== "admitted") return undefined;
  const { eventId }: Partial<SignatureScheme> = auth.preset === undefined ? {} : HMAC_PRESETS[auth.preset];
  const event = eventId === undefined ? undefined : (jsonOf(body) as Record<string, unknown> | null | undefined);
  const id = eventId === undefined ? undefined : event?.[eventId];
  if (typeof id === "string" && id !== "" && id.length <= MAX_EVENT_ID) return `event ${id}`;
  return checked.signature === undefined ? undefined : `signature ${checked.signature}`;
}

/** Earlier versions know only the header. Their nodes authenticate such a delivery by its secret. */
const needsPass = ({ auth }: Readonly<WebhookDoc>, { method }: Arrived): boolean =>
  auth !== undefined || method !== "POST";

function admit(service: WebhooksService, webhook: Readonly<WebhookDoc>, arrived: Arrived, checked: Checked): Verdict {
  const { method, search } = arrived;
  const { workspaceId } = webhook;
  if (webhook.enabled === false) return { valid: false, workspaceId, refused: "disabled", reason: "disabled" };
  const body = arrived.body === undefined ? undefined : Buffer.from(arrived.body, "base64");
  const handshake = admittedHandshake(webhook, { method, search, body });
  if (handshake) return { valid: true, workspaceId, handshake };
  const methods: string[] = methodsOf(webhook);
  if (!methods.includes(method)) {
    return { valid: false, workspaceId, refused: "method", reason: "method_not_allowed", methods };
  }
  const respond = respondOf(webhook);
  const deliveryId = deliveryIdOf(webhook, checked, body);
  return {
    valid: true,
    workspaceId,
    ...(needsPass(webhook, arrived) && { pass: makePass(service.hashKey, webhook.id) }),
    ...(deliveryId !== undefined && { deliveryId }),
    ...(webhook.keepRaw && { keepRaw: true }),
    ...(respond.mode !== "execution" && { waitMs: "timeoutMs" in respond ? respond.timeoutMs : 0 }),
  };
}

/** The body, from the call or from the file store. */
function bytesOf(
  { files }: WebhooksService,
  webhook: Readonly<WebhookDoc> | null,
  { body, stored }: Pick<Arrived, "body" | "stored">,
): SignedDelivery["body"] | undefined {
  if (webhook && stored) return files.read(webhook.workspaceId, stored);
  return body === undefined ? undefined : Buffer.from(body, "base64");
}

export const verify = handle<"webhooks.verify", WebhooksService>("webhooks.verify", async function (ctx) {
  const { id, body, stored, ...arrived } = ctx.params;
  const webhook = await findAnywhere(this, id);
  const handshake = webhook?.enabled !== false && webhook ? openHandshake(this, webhook, ctx.params) : undefined;
  if (webhook && handshake) return { valid: true, workspaceId: webhook.workspaceId, handshake };
  const checked = await authenticate(this, webhook, { ...arrived, body: bytesOf(this, webhook, { body, stored }) });
  const known = webhook ? { workspaceId: webhook.workspaceId } : {};
  if (checked.is === "signed") return { valid: false, ...known, needsBody: true };
  if (!webhook || checked.is === "refused") {
    return { valid: false, ...known, ...(checked.is === "refused" && { reason: checked.reason }) };
  }
  return admit(this, webhook, ctx.params, checked);
});
