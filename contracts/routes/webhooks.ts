import type { ErrorCode } from "../errors.ts";
import { IF_MATCH, route, SPACE, WORKSPACE } from "./route.ts";

const WEBHOOKS = `${SPACE}/webhooks`;
const TRIGGER = "/v1/webhooks/:id/trigger";

const delivery = {
  headers: { "x-webhook-secret": "secret", prefer: "waitMs" },
  wholeBody: "input",
  delivery: true,
  errors: ["invalid_webhook_secret", "workflow_trashed", "quota_exceeded", "method_not_allowed"] as ErrorCode[],
  audited: false,
};

export const webhooksRoutes = [
  route("POST", WEBHOOKS, "webhooks.create", 201, "Create a webhook that starts a workflow", {
    etag: "numbered",
    errors: ["slug_taken", "workflow_trashed", "limit_reached"],
  }),
  route("GET", WEBHOOKS, "webhooks.list", 200, "List webhooks"),
  route("GET", `${WORKSPACE}/webhooks`, "webhooks.listAll", 200, "List the webhooks of all spaces"),
  route("GET", `${WEBHOOKS}/:id`, "webhooks.get", 200, "Read a webhook", { etag: "numbered" }),
  route("PATCH", `${WEBHOOKS}/:id`, "webhooks.update", 200, "Change a webhook", {
    etag: "numbered",
    headers: IF_MATCH,
    errors: ["precondition_failed", "conflict"],
  }),
  route("POST", `${WEBHOOKS}/:id/rotate-secret`, "webhooks.rotateSecret", 200, "Replace the secret of a webhook", {
    etag: "numbered",
    errors: ["conflict"],
  }),
  route("GET", `${WEBHOOKS}/:id/deliveries`, "webhooks.deliveries", 200, "List the last 100 deliveries"),
  route("POST", `${WEBHOOKS}/:id/test`, "webhooks.test", 200, "Try a webhook without its sender", {
    errors: ["workflow_trashed", "quota_exceeded"],
  }),
  route("DELETE", `${WEBHOOKS}/:id`, "webhooks.remove", 204, "Delete a webhook", {
    headers: IF_MATCH,
    errors: ["precondition_failed", "conflict"],
  }),
  route("POST", TRIGGER, "webhooks.trigger", 201, "Trigger a webhook", delivery),
  route("POST", `${TRIGGER}/:token`, "webhooks.trigger", 201, "Trigger a webhook whose address has a token", delivery),
];
