import { defineCollection, type DocumentOf, where } from "../../adapters/store/define-collection.ts";
import {
  boolean,
  date,
  json,
  optional,
  optionalOrNull,
  sealed,
  string,
  strings,
} from "../../adapters/store/field-types.ts";
import type { Collection } from "../../adapters/store/port.ts";
import {
  type DeliveryMethod,
  webhook,
  type WebhookDelivery,
  type WebhookRespond,
} from "../../contracts/entities/webhook.ts";
import { DEFAULT_HEADER, type WebhookAuth } from "../../contracts/entities/webhook-auth.ts";
import { presenter } from "../../service-kit/present.ts";
import { REVISION_FIELDS, revisionOf } from "../../service-kit/revisions.ts";
import { fillSlugs, SLUG_FIELDS, SLUG_INDEX } from "../../service-kit/slugs.ts";

/** The purpose with which secrets are sealed that are needed in plain text to check a signature. */
export const WEBHOOK_SECRETS = "webhook secrets";

/** The hash of a rotated secret, and the time until which it is accepted. */
export interface PreviousHash {
  hash: string;
  until: string;
}

export const webhooks = defineCollection({
  name: "webhooks",
  tenant: true,
  fields: {
    spaceId: string(),
    workflowId: string(),
    name: string(),
    /**
     * A keyed hash of the secret. For `hmac` and `none` it is a random text that no secret matches, because nodes of
     * earlier versions know only this field and must refuse every delivery.
     */
    secretHash: string(),
    /** Unset in webhooks of earlier versions, which use the header `x-webhook-secret`. */
    auth: optional(json<WebhookAuth>()),
    previousHashes: optional(json<PreviousHash[]>()),
    /** The `SealedSecrets` of an hmac webhook as JSON. */
    secrets: optionalOrNull(sealed(WEBHOOK_SECRETS)),
    /** The credential in `auth`, for finding webhooks by credential. */
    credentialId: optional(string()),
    /** When the last rotated secret stops being accepted. */
    previousUntil: optionalOrNull(date()),
    enabled: optional(boolean()),
    methods: optional(strings<DeliveryMethod>()),
    respond: optional(json<WebhookRespond>()),
    keepRaw: optional(boolean()),
    createdBy: string(),
    createdAt: date(),
    lastTriggeredAt: optionalOrNull(date()),
    ...SLUG_FIELDS,
    ...REVISION_FIELDS,
  },
  indexes: [
    SLUG_INDEX,
    [{ workspaceId: 1, _id: -1 }],
    [{ workspaceId: 1, spaceId: 1, _id: -1 }],
    [{ workspaceId: 1, workflowId: 1 }],
    [{ workspaceId: 1, credentialId: 1 }, where("credentialId")],
  ],
});
export type WebhookDoc = DocumentOf<typeof webhooks>;

/** The slug of a webhook whose name contains no Latin letter and no digit. */
export const SLUG_FALLBACK = "webhook";

/** Adds slugs to webhooks of earlier versions. */
export const withSlugs = (all: Collection<WebhookDoc>, docs: readonly WebhookDoc[]): Promise<WebhookDoc[]> =>
  fillSlugs(all, docs, ({ name }) => name, SLUG_FALLBACK);

/** The latest deliveries of a webhook, in one document with the webhook's id. */
export const deliveries = defineCollection({
  name: "webhookDeliveries",
  tenant: true,
  fields: {
    spaceId: string(),
    workflowId: string(),
    /** Newest first. */
    last: json<WebhookDelivery[]>(),
    /** Changes with each write, for compare-and-set. */
    revision: string(),
  },
  indexes: [[{ workspaceId: 1, spaceId: 1 }], [{ workspaceId: 1, workflowId: 1 }]],
});

const HEADER: WebhookAuth = { type: "header", name: DEFAULT_HEADER };
const EXECUTION: WebhookRespond = { mode: "execution" };
const POST: readonly DeliveryMethod[] = ["POST"];

type Kept = Readonly<WebhookDoc>;
export const authOf = ({ auth = HEADER }: Kept): WebhookAuth => auth;
export const methodsOf = ({ methods = [...POST] }: Kept): DeliveryMethod[] => methods;
export const respondOf = ({ respond = EXECUTION }: Kept): WebhookRespond => respond;

const endOf = ({ previousUntil = null }: Kept): Date | null =>
  previousUntil && previousUntil > new Date() ? previousUntil : null;

/** `publicUrl` is the address of the API for clients, without a trailing slash. */
export const presentWebhook = presenter(webhook, webhooks, (doc, publicUrl: string) => ({
  url: `${publicUrl}/v1/webhooks/${doc.id}/trigger`,
  enabled: doc.enabled ?? true,
  auth: authOf(doc),
  methods: methodsOf(doc),
  respond: respondOf(doc),
  keepRaw: doc.keepRaw ?? false,
  revision: revisionOf(doc),
  previousSecretUntil: endOf(doc)?.toISOString() ?? null,
}));
