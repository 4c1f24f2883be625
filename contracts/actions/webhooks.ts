import { z } from "zod";
import { action, inSpace, inWorkspace } from "../define-action.ts";
import { archived, takenOver } from "../entities/archive.ts";
import { usesOfCredentials } from "../entities/credential.ts";
import { response } from "../entities/execution.ts";
import {
  deliveredExecution,
  deliveryFields,
  deliveryMethod,
  newWebhook,
  newWebhookRespond,
  webhook,
  webhookDelivery,
  webhookTest,
} from "../entities/webhook.ts";
import { usedByName } from "../entities/limits-used.ts";
import { newWebhookAuth } from "../entities/webhook-auth.ts";
import { id, ifMatch, json, MAX_PAGE, name, newSlug, nothing, page, pageInput } from "../primitives.ts";
import { MAX_WAIT_MS } from "./executions.ts";
import { receivedBytes } from "./files.ts";

/** Longer than any header, so that a wrong secret of any length gets the error for a wrong secret. */
const MAX_SECRET = 20_000;
const secret = z
  .string()
  .max(MAX_SECRET)
  .default("")
  .meta({ description: "The secret from the answer that created the webhook." });
const token = z
  .string()
  .max(MAX_SECRET)
  .optional()
  .meta({ description: "The secret of a webhook with the auth type `path`.", format: "password" });

const settings = {
  enabled: z.boolean().optional(),
  auth: newWebhookAuth.optional().meta({ description: "Default: the header `x-webhook-secret`." }),
  methods: z
    .array(deliveryMethod)
    .min(1)
    .max(5)
    .transform(all => [...new Set(all)])
    .optional()
    .meta({ description: "Default: only `POST`." }),
  respond: newWebhookRespond.optional(),
  keepRaw: z.boolean().optional(),
};

/** The facts that the gateway knows about a delivery. */
const arrived = {
  id,
  secret,
  method: z.string().max(20).default("POST"),
  headers: z.record(z.string(), z.string()).default({}),
  search: z.string().default(""),
  token,
  /** The body in base64, if an earlier check asked for it. */
  body: z.string().optional(),
  /** The place of the body in the file store, if it is stored there. */
  stored: receivedBytes.optional(),
};

/** A response that the gateway sends without starting a run. */
const handshake = z.object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() });

const verdict = z.object({
  valid: z.boolean(),
  /** Set if the webhook exists, for the list of deliveries. */
  workspaceId: id.optional(),
  /** The sender signs the body, so the gateway must read it before the delivery can be authenticated. */
  needsBody: z.boolean().optional(),
  /** Why the delivery is refused. The sender does not see it. */
  reason: z.string().optional(),
  /** Set if the webhook refuses an authenticated sender. */
  refused: z.enum(["disabled", "method"]).optional(),
  methods: z.array(z.string()).optional(),
  handshake: handshake.optional(),
  /**
   * Proves to `webhooks.trigger` that the delivery was authenticated. Absent if the secret in the delivery proves it.
   */
  pass: z.string().optional(),
  /** Identifies the delivery by its signed content. */
  deliveryId: z.string().optional(),
  keepRaw: z.boolean().optional(),
  /** How long the sender waits, if the webhook sets that. The sender's own `Prefer` header is then ignored. */
  waitMs: z.int().min(0).max(MAX_WAIT_MS).optional(),
});
export type Verdict = z.infer<typeof verdict>;

const noted = webhookDelivery.extend({ workspaceId: id, webhookId: id });
export type NotedDelivery = z.infer<typeof noted>;

export const webhooksActions = {
  "webhooks.create": inSpace(
    "editor",
    { workflowId: id, name: name.default("Webhook"), slug: newSlug, ...settings },
    newWebhook,
  ),
  "webhooks.list": inSpace("viewer", { workflowId: id.optional(), ...pageInput }, page(webhook)),
  /** The webhooks of all spaces, or of one, or of one workflow, newest first. */
  "webhooks.listAll": inWorkspace(
    "viewer",
    { spaceId: id.optional(), workflowId: id.optional(), ...pageInput },
    page(webhook),
  ),
  "webhooks.get": inSpace("viewer", { id }, webhook),
  "webhooks.update": inSpace("editor", { id, name: name.optional(), ...settings, ifMatch }, newWebhook),
  "webhooks.rotateSecret": inSpace(
    "editor",
    {
      id,
      secret: z.string().max(MAX_SECRET).optional().meta({
        description: "The new secret, if the sender makes it. Without it, Weft makes one and shows it once.",
      }),
    },
    newWebhook,
  ),
  "webhooks.deliveries": inSpace("viewer", { id }, page(webhookDelivery)),
  /** Starts a run like a delivery would, and returns the response that the sender would get. */
  "webhooks.test": inSpace(
    "editor",
    { id, input: json.default(null), headers: deliveryFields.default({}), query: deliveryFields.default({}) },
    webhookTest,
  ),
  "webhooks.remove": inSpace("editor", { id, ifMatch }, nothing),
  /** Whether this webhook exists and authenticates this delivery. */
  "webhooks.verify": action("internal", arrived, verdict, { reads: true }),
  /** Adds to the lists of deliveries. Webhooks that do not exist are ignored. */
  "webhooks.noteDeliveries": action("internal", { deliveries: z.array(noted).max(10_000) }, nothing),
  /** `response` is what the sender gets instead of the execution. Errors: invalid_webhook_secret, workflow_trashed. */
  "webhooks.trigger": action(
    "public",
    {
      id,
      secret,
      token,
      input: json.default(null),
      headers: deliveryFields.default({}),
      query: deliveryFields.default({}),
      waitMs: z.int().min(0).max(MAX_WAIT_MS).default(0),
    },
    z.object({ execution: deliveredExecution, response: response.nullable() }),
  ),
  /** The webhooks that use these credentials. */
  "webhooks.usingCredentials": action(
    "internal",
    { workspaceId: id, ids: z.array(id).max(MAX_PAGE) },
    usesOfCredentials,
    { reads: true },
  ),
  /** Imports a record of an archive. Its ids are already those of this workspace. */
  "webhooks.takeOver": action(
    "internal",
    { workspaceId: id, userId: id, record: archived.webhook.extend({ respond: json }) },
    takenOver,
  ),
  /** Removes the data of a deleted workspace, or of one of its spaces or workflows. */
  /** How much of this service's limits the workspace uses, by name. */
  "webhooks.usage": action("internal", { workspaceId: id }, usedByName, { reads: true }),
  "webhooks.purge": action("internal", { workspaceId: id, spaceId: id.optional(), workflowId: id.optional() }, nothing),
};
