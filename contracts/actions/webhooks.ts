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

/** Longer than any header, so that a wrong secret of any length is refused as a wrong secret. */
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
    .meta({ description: "Default: `POST` alone." }),
  respond: newWebhookRespond.optional(),
  keepRaw: z.boolean().optional(),
};

/** What the gateway knows of a delivery. */
const arrived = {
  id,
  secret,
  method: z.string().max(20).default("POST"),
  headers: z.record(z.string(), z.string()).default({}),
  search: z.string().default(""),
  token,
  /** The body in base64, when an earlier check asked for it. */
  body: z.string().optional(),
  /** The body in the store of files, where it is one. */
  stored: receivedBytes.optional(),
};

/** An answer that the gateway gives without a run. */
const handshake = z.object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() });

const verdict = z.object({
  valid: z.boolean(),
  /** Set if the webhook exists, for the list of deliveries. */
  workspaceId: id.optional(),
  /** The sender signs the body, so it must be read before the delivery can be admitted. */
  needsBody: z.boolean().optional(),
  /** Why the delivery is not admitted. The sender does not learn it. */
  reason: z.string().optional(),
  /** The webhook refuses a sender that it has recognised. */
  refused: z.enum(["disabled", "method"]).optional(),
  methods: z.array(z.string()).optional(),
  handshake: handshake.optional(),
  /** Proves to `webhooks.trigger` that the delivery was admitted. Absent where its secret proves it. */
  pass: z.string().optional(),
  /** Identifies the delivery by what its sender signed. */
  deliveryId: z.string().optional(),
  keepRaw: z.boolean().optional(),
  /** How long the sender waits because the webhook says so. Its own wish does not count then. */
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
  /** Starts a run as a delivery would, and returns what the sender would get. */
  "webhooks.test": inSpace(
    "editor",
    { id, input: json.default(null), headers: deliveryFields.default({}), query: deliveryFields.default({}) },
    webhookTest,
  ),
  "webhooks.remove": inSpace("editor", { id, ifMatch }, nothing),
  /** Whether this webhook exists and admits this delivery. */
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
  /** The webhooks that name these credentials. */
  "webhooks.usingCredentials": action(
    "internal",
    { workspaceId: id, ids: z.array(id).max(MAX_PAGE) },
    usesOfCredentials,
    { reads: true },
  ),
  /** Takes over a record of an archive, whose ids are those of this workspace. */
  "webhooks.takeOver": action(
    "internal",
    { workspaceId: id, userId: id, record: archived.webhook.extend({ respond: json }) },
    takenOver,
  ),
  /** Removes the data of a deleted workspace, or of one of its spaces or workflows. */
  /** What the workspace uses of the limits of this service, by their names. */
  "webhooks.usage": action("internal", { workspaceId: id }, usedByName, { reads: true }),
  "webhooks.purge": action("internal", { workspaceId: id, spaceId: id.optional(), workflowId: id.optional() }, nothing),
};
