import { z } from "zod";
import { action, inSpace, inWorkspace } from "../define-action.ts";
import { response } from "../entities/execution.ts";
import { deliveredExecution, deliveryFields, newWebhook, webhook } from "../entities/webhook.ts";
import { id, json, name, nothing, page, pageInput } from "../primitives.ts";
import { MAX_WAIT_MS } from "./executions.ts";

/** Longer than any header, so that a wrong secret of any length is refused as a wrong secret. */
const secret = z
  .string()
  .max(20_000)
  .default("")
  .meta({ description: "The secret from the answer that created the webhook." });

export const webhooksActions = {
  "webhooks.create": inSpace("editor", { workflowId: id, name: name.default("Webhook") }, newWebhook),
  "webhooks.list": inSpace("viewer", { workflowId: id.optional(), ...pageInput }, page(webhook)),
  /** The webhooks of all spaces, or of one, or of one workflow, newest first. */
  "webhooks.listAll": inWorkspace(
    "viewer",
    { spaceId: id.optional(), workflowId: id.optional(), ...pageInput },
    page(webhook),
  ),
  "webhooks.remove": inSpace("editor", { id }, nothing),
  /** Whether this webhook exists and has this secret. */
  "webhooks.verify": action("internal", { id, secret }, z.object({ valid: z.boolean() }), { reads: true }),
  /** `response` is set by a `respond` step for a caller who waits. Errors: invalid_webhook_secret, workflow_trashed. */
  "webhooks.trigger": action(
    "public",
    {
      id,
      secret,
      input: json.default(null),
      headers: deliveryFields.default({}),
      query: deliveryFields.default({}),
      waitMs: z.int().min(0).max(MAX_WAIT_MS).default(0),
    },
    z.object({ execution: deliveredExecution, response: response.nullable() }),
  ),
  /** Removes the data of a deleted workspace, or of one of its spaces or workflows. */
  "webhooks.purge": action("internal", { workspaceId: id, spaceId: id.optional(), workflowId: id.optional() }, nothing),
};
