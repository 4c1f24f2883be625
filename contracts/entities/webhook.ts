import { z } from "zod";
import { id, json, name, revision, slugInSpace, timestamp } from "../primitives.ts";
import { execution, suspension } from "./execution.ts";
import { webhookAuth } from "./webhook-auth.ts";

/** The allowed methods of deliveries. */
export const DELIVERY_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export const deliveryMethod = z.enum(DELIVERY_METHODS);
export type DeliveryMethod = z.infer<typeof deliveryMethod>;

/** The longest time that a webhook lets its sender wait. */
const MAX_RESPOND_MS = 30_000;
/** The limit is low, because a body that is kept in its original form is in the journal twice. */
export const MAX_RAW_BYTES = 262_144;

const status = z.int().min(200).max(299);
const timeoutMs = z.int().min(0).max(MAX_RESPOND_MS);
const otherwise = z.int().min(200).max(599).meta({ description: "The status if there is no response in time." });

const plain = z.strictObject({ mode: z.literal("execution") });
const accepted = z.strictObject({ mode: z.literal("accepted") });
const empty = z.strictObject({ mode: z.literal("empty"), status });
const onRespond = z.strictObject({ mode: z.literal("on_respond"), timeoutMs, otherwise });
const atEnd = z.strictObject({ mode: z.literal("at_end"), timeoutMs, otherwise });

/** The response to the sender of a delivery. */
export const webhookRespond = z
  .discriminatedUnion("mode", [plain, accepted, empty, onRespond, atEnd])
  .meta({ id: "WebhookRespond" });

const usual = { timeoutMs: timeoutMs.default(MAX_RESPOND_MS), otherwise: otherwise.default(202) };

/** The same in the form of a request. */
export const newWebhookRespond = z
  .discriminatedUnion("mode", [
    plain,
    accepted,
    empty.extend({ status: status.default(204) }),
    onRespond.extend(usual),
    atEnd.extend(usual),
  ])
  .meta({ id: "NewWebhookRespond" });
export type NewWebhookRespond = z.input<typeof newWebhookRespond>;
export type WebhookRespond = z.infer<typeof webhookRespond>;

export const webhook = z
  .object({
    id,
    workspaceId: id,
    spaceId: id,
    workflowId: id,
    workflowName: z.string().optional().meta({ description: "In lists, while the workflow exists." }),
    name,
    slug: slugInSpace,
    /** The address for deliveries. */
    url: z.url().meta({ description: "With the auth type `path`, the token follows after a slash." }),
    enabled: z.boolean().meta({ description: "Deliveries to a disabled webhook get the status 404." }),
    auth: webhookAuth,
    methods: z.array(deliveryMethod),
    respond: webhookRespond,
    keepRaw: z.boolean().meta({ description: "Whether expressions can read the original body as `trigger.rawBody`." }),
    previousSecretUntil: timestamp.nullable().meta({ description: "Until when a rotated secret is still accepted." }),
    createdBy: id,
    createdByName: z.string().optional().meta({ description: "In lists. Also set for former members." }),
    createdAt: timestamp,
    /** Rounded to the second. */
    lastTriggeredAt: timestamp.nullable(),
    revision,
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof webhook>;

/** A webhook with the secrets that Weft has just created. They are never shown again. */
export const newWebhook = webhook
  .extend({
    secret: z.string().optional().meta({ description: "Absent if the request gave it, and for the type `none`." }),
    verifyToken: z.string().optional().meta({ description: "The verify token of the preset `meta`." }),
  })
  .meta({ id: "NewWebhook" });
export type NewWebhook = z.infer<typeof newWebhook>;

/** The most deliveries that the list of a webhook keeps. */
export const MAX_DELIVERIES = 100;

export const webhookDelivery = z
  .object({
    at: timestamp,
    address: z.string().meta({ description: "The address of the sender." }),
    method: z.string(),
    status: z.int().meta({ description: "The status of the answer." }),
    executionId: id.nullable(),
    reason: z.string().nullable().meta({ description: "Why the delivery was refused; null if it was accepted." }),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

/** The response that a sender would have received for a test delivery. */
export const webhookTest = z
  .object({ executionId: id, status: z.int(), headers: z.record(z.string(), z.string()), body: json })
  .meta({ id: "WebhookTest" });

/**
 * The execution in the form for the sender of a delivery. A sender is often a third party that knows only the secret,
 * so this omits the users behind the workflow and the data that was sent.
 */
export const deliveredExecution = execution
  .omit({ startedBy: true, startedByName: true, startedByKey: true, workflowName: true, input: true, parent: true })
  .omit({ key: true, labels: true, note: true, retryOf: true, retriedBy: true, compensation: true, queue: true })
  .extend({
    suspension: suspension.omit({ assignees: true }).optional(),
    suspensions: z.array(suspension.omit({ assignees: true })).optional(),
  })
  .meta({ id: "DeliveredExecution" });
export type DeliveredExecution = z.infer<typeof deliveredExecution>;

/**
 * The headers and the query of a delivery, for expressions, without credentials. A repeated name has a list of values.
 */
export const deliveryFields = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
export type DeliveryFields = z.infer<typeof deliveryFields>;
