import { createHmac } from "node:crypto";

type Headers = Record<string, string>;

const hex = (key: string | Buffer, ...parts: (string | Buffer)[]) => {
  const hmac = createHmac("sha256", key);
  for (const part of parts) hmac.update(part);
  return hmac.digest("hex");
};
const base64 = (key: string | Buffer, ...parts: (string | Buffer)[]) =>
  Buffer.from(hex(key, ...parts), "hex").toString("base64");

const symmetric =
  (vendor: string) =>
  (secret: string, body: Buffer, at: number, id = "msg_1"): Headers => ({
    [`${vendor}-id`]: id,
    [`${vendor}-timestamp`]: `${at}`,
    [`${vendor}-signature`]: `v1,${base64(Buffer.from(secret.replace("whsec_", ""), "base64"), `${id}.${at}.`, body)}`,
  });

/** The signatures of each service for a delivery, following its documentation. `at` is in seconds. */
export const SENDERS = {
  /** https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries */
  github: (secret: string, body: Buffer): Headers => ({ "x-hub-signature-256": `sha256=${hex(secret, body)}` }),
  /** https://docs.stripe.com/webhooks#verify-manually */
  stripe: (secret: string, body: Buffer, at: number): Headers => ({
    "stripe-signature": `t=${at},v1=${hex(secret, `${at}.`, body)},v0=${hex("old scheme", body)}`,
  }),
  /** https://docs.slack.dev/authentication/verifying-requests-from-slack */
  slack: (secret: string, body: Buffer, at: number): Headers => ({
    "x-slack-request-timestamp": `${at}`,
    "x-slack-signature": `v0=${hex(secret, `v0:${at}:`, body)}`,
  }),
  /** https://shopify.dev/docs/apps/build/webhooks/subscribe/https */
  shopify: (secret: string, body: Buffer): Headers => ({ "x-shopify-hmac-sha256": base64(secret, body) }),
  /** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
  "standard-webhooks": symmetric("webhook"),
  /** https://docs.svix.com/receiving/verifying-payloads/how-manual */
  svix: symmetric("svix"),
  /** https://developers.facebook.com/docs/graph-api/webhooks/getting-started#event-notifications */
  meta: (secret: string, body: Buffer): Headers => ({ "x-hub-signature-256": `sha256=${hex(secret, body)}` }),
};
export type Sender = keyof typeof SENDERS;
export const SENDER_NAMES = Object.keys(SENDERS) as Sender[];

/** A secret in the form that the service creates. */
export const secretOf = (sender: Sender): string =>
  sender === "standard-webhooks" || sender === "svix"
    ? "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    : `${sender}-secret-of-some-length`;
