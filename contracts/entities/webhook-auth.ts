import { z } from "zod";
import { id } from "../primitives.ts";

export const DEFAULT_HEADER = "x-webhook-secret";
export const DEFAULT_TOLERANCE_SECONDS = 300;
const MAX_TOLERANCE_SECONDS = 86_400;

export const ALGORITHMS = ["sha256", "sha1", "sha512"] as const;
export const ENCODINGS = ["hex", "base64"] as const;

/** How a sender signs its deliveries. */
export interface SignatureScheme {
  /** The header with the signature, in lower case. */
  header: string;
  algorithm: (typeof ALGORITHMS)[number];
  encoding: (typeof ENCODINGS)[number];
  /** The text before the signature. With a separator, the items that begin with this text are signatures. */
  prefix: string;
  /** Separates the items of a header with several signatures. */
  separator?: string;
  /** The signed text. `{body}`, `{timestamp}` and `{id}` stand for parts of the delivery. */
  signed: string;
  /** The place of the signature's time: a separate header, or the item with this prefix. */
  timestamp?: { header: string } | { prefix: string };
  /** The header with the `{id}`. */
  id?: string;
  /** `whsec`: the secret is base64 after `whsec_`. Absent: the bytes of its text are the key. */
  key?: "whsec";
  /** The member of a JSON body that identifies the event. Repeated deliveries of an event share it. */
  eventId?: string;
  handshake?: "slack" | "meta";
}

const HEX = { algorithm: "sha256", encoding: "hex" } as const;
const GITHUB: SignatureScheme = { header: "x-hub-signature-256", ...HEX, prefix: "sha256=", signed: "{body}" };
const symmetric = (vendor: string): SignatureScheme => ({
  header: `${vendor}-signature`,
  id: `${vendor}-id`,
  timestamp: { header: `${vendor}-timestamp` },
  algorithm: "sha256",
  encoding: "base64",
  prefix: "v1,",
  separator: " ",
  key: "whsec",
  signed: "{id}.{timestamp}.{body}",
});

/** The signature schemes that are known by name, each as its service documents it. */
export const HMAC_PRESETS = {
  github: GITHUB,
  stripe: {
    header: "stripe-signature",
    ...HEX,
    prefix: "v1=",
    separator: ",",
    signed: "{timestamp}.{body}",
    timestamp: { prefix: "t=" },
    eventId: "id",
  },
  slack: {
    header: "x-slack-signature",
    ...HEX,
    prefix: "v0=",
    signed: "v0:{timestamp}:{body}",
    timestamp: { header: "x-slack-request-timestamp" },
    eventId: "event_id",
    handshake: "slack",
  },
  shopify: {
    header: "x-shopify-hmac-sha256",
    algorithm: "sha256",
    encoding: "base64",
    prefix: "",
    signed: "{body}",
  },
  "standard-webhooks": symmetric("webhook"),
  svix: symmetric("svix"),
  meta: { ...GITHUB, handshake: "meta" },
} satisfies Record<string, SignatureScheme>;
export type HmacPreset = keyof typeof HMAC_PRESETS;

const presetNames = Object.keys(HMAC_PRESETS) as [HmacPreset, ...HmacPreset[]];

/** Headers that the connection, proxies and Weft itself use. */
const TAKEN =
  /^(host|connection|content-(length|type|encoding)|transfer-encoding|expect|upgrade|te|trailer|cookie|origin|prefer|idempotency-key|x-forwarded-.*|x-request-id|user-agent|accept.*)$/;
const header = z
  .string()
  .max(100)
  .toLowerCase()
  .regex(/^[a-z0-9!#$%&'*+.^_`|~-]+$/, "Expected the name of a header")
  .refine(name => !TAKEN.test(name), "This header has another meaning");

/** How calls are signed: with the scheme of a known service, or with a custom one. */
const signatureShape = {
  preset: z.enum(presetNames).optional().meta({ description: "The name of a service whose signature scheme is used." }),
  header: header.optional().meta({ description: "The header with the signature. Required without a preset." }),
  algorithm: z.enum(ALGORITHMS).optional().meta({ description: "Default: `sha256`." }),
  encoding: z.enum(ENCODINGS).optional().meta({ description: "Default: `hex`." }),
  prefix: z.string().max(50).optional().meta({ description: "The text before the signature." }),
  signed: z.enum(["body", "timestamp.body"]).optional().meta({ description: "Default: `body`." }),
  timestampHeader: header.optional().meta({ description: "Needed for `timestamp.body`." }),
  separator: z.string().max(10).optional().meta({ description: "Between timestamp and body. Default: a dot." }),
  toleranceSeconds: z.int().min(1).max(MAX_TOLERANCE_SECONDS).optional().meta({
    description: "How far the timestamp may be from the time of arrival. Default: 300.",
  }),
};

const shapes = {
  header: { type: z.literal("header"), name: header.default(DEFAULT_HEADER) },
  hmac: {
    type: z.literal("hmac"),
    ...signatureShape,
    credential: id
      .optional()
      .meta({ description: "The id of a credential of the type `hmac`, whose key is the secret." }),
  },
  basic: {
    type: z.literal("basic"),
    username: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^:\p{Cc}]+$/u, "Expected no colon and no control character"),
  },
  path: { type: z.literal("path"), preset: z.literal("microsoft-graph").optional() },
  none: { type: z.literal("none") },
};

/** How a webhook authenticates its sender. */
export const webhookAuth = z
  .discriminatedUnion("type", [
    z.object({ ...shapes.header, name: header }),
    z.object(shapes.hmac),
    z.object(shapes.basic),
    z.object(shapes.path),
    z.object(shapes.none),
  ])
  .meta({ id: "WebhookAuth" });
export type WebhookAuth = z.infer<typeof webhookAuth>;
export type HmacAuth = Extract<WebhookAuth, { type: "hmac" }>;

/** Shorter secrets could be guessed. */
const MIN_SECRET = 16;
const secret = z
  .string()
  .min(MIN_SECRET)
  .max(1_000)
  .regex(/^[\x20-\x7e]+$/, "Expected printable ASCII characters")
  .optional()
  .meta({ description: "The secret, if the sender makes it. Without it, Weft makes one and shows it once." });
const verifyToken = z
  .string()
  .min(8)
  .max(200)
  .optional()
  .meta({ description: "The verify token of the preset `meta`. Without it, Weft makes one and shows it once." });

const OF_OWN_SCHEMES = ["header", "algorithm", "encoding", "prefix", "signed", "timestampHeader", "separator"] as const;

type CallSignature = Omit<HmacAuth, "type" | "credential">;

type GivenHmac = HmacAuth & { verifyToken?: string | undefined; secret?: string | undefined };

const faultIn =
  ({ issues, value }: z.core.ParsePayload<unknown>) =>
  (field: string, message: string) =>
    issues.push({ code: "custom", path: [field], message, input: value });

function checkHmac(context: z.core.ParsePayload<GivenHmac>): void {
  const { value } = context;
  const fault = faultIn(context);
  if (value.secret !== undefined && value.credential !== undefined) fault("secret", "The credential holds the secret");
  if (value.verifyToken !== undefined && value.preset !== "meta") fault("verifyToken", "Only for the preset `meta`");
  checkSignature(context);
}

function checkSignature(context: z.core.ParsePayload<CallSignature>): void {
  const { value } = context;
  const fault = faultIn(context);
  if (value.preset !== undefined) {
    for (const field of OF_OWN_SCHEMES) if (value[field] !== undefined) fault(field, "The preset sets this");
    return;
  }
  if (value.header === undefined) fault("header", "Required without a preset");
  if (value.signed === "timestamp.body" && value.timestampHeader === undefined)
    fault("timestampHeader", "Required when `signed` is `timestamp.body`");
}

/** The authentication that a request sets. Its secrets can be written, but never read. */
export const newWebhookAuth = z
  .discriminatedUnion("type", [
    z.strictObject({ ...shapes.header, secret }),
    z.strictObject({ ...shapes.hmac, secret, verifyToken }).check(checkHmac),
    z.strictObject({ ...shapes.basic, secret }),
    z.strictObject({ ...shapes.path, secret }),
    z.strictObject(shapes.none),
  ])
  .meta({ id: "NewWebhookAuth" });
export type NewWebhookAuth = z.infer<typeof newWebhookAuth>;

/** How callers of the address of a step sign their calls. */
export const callSignature = z.strictObject(signatureShape).check(checkSignature);

/** The scheme for checking signatures, and the maximum age of a signature. */
export function schemeOf(auth: CallSignature | HmacAuth): SignatureScheme & { toleranceSeconds: number } {
  const { preset, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, header: name = "", timestampHeader } = auth;
  if (preset !== undefined) return { toleranceSeconds, ...HMAC_PRESETS[preset] };
  const { algorithm = "sha256", encoding = "hex", prefix = "", signed = "body", separator = "." } = auth;
  const plain = { toleranceSeconds, header: name, algorithm, encoding, prefix };
  if (signed === "body" || timestampHeader === undefined) return { ...plain, signed: "{body}" };
  return { ...plain, signed: `{timestamp}${separator}{body}`, timestamp: { header: timestampHeader } };
}
