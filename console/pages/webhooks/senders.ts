import type { NewWebhookGiven } from "../../data/triggers.ts";

type Auth = NonNullable<NewWebhookGiven["auth"]>;
type Respond = NonNullable<NewWebhookGiven["respond"]>;

/** The senders of deliveries, as the form offers them. */
export const SENDERS = [
  ...(["header", "github", "stripe", "slack", "shopify", "standard-webhooks", "svix", "meta"] as const),
  ...(["path", "basic", "none"] as const),
] as const;
export type Sender = (typeof SENDERS)[number];

const PRESETS: ReadonlySet<Sender> = new Set([
  ...(["github", "stripe", "slack", "shopify", "standard-webhooks", "svix", "meta"] as const),
]);

/** Senders that generate the secret themselves. */
export const MAKES_SECRET: ReadonlySet<Sender> = PRESETS;

export function authOf(sender: Sender, { secret, username }: { secret: string; username: string }): Auth {
  const own = secret === "" ? {} : { secret };
  if (PRESETS.has(sender)) return { type: "hmac", preset: sender as "github", ...own };
  if (sender === "basic") return { type: "basic", username };
  return { type: sender } as Auth;
}

export const senderOf = (auth: { type: string; preset?: string | undefined }): Sender | undefined =>
  SENDERS.find(sender => sender === (auth.type === "hmac" ? auth.preset : auth.type));

export const ANSWERS = ["accepted", "execution", "empty", "on_respond", "at_end"] as const;
export type Answer = (typeof ANSWERS)[number];
export const respondOf = (mode: Answer): Respond => ({ mode });
