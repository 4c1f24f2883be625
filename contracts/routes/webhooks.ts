import { route, SPACE, WORKSPACE } from "./route.ts";

const WEBHOOKS = `${SPACE}/webhooks`;

export const webhooksRoutes = [
  route("POST", WEBHOOKS, "webhooks.create", 201, "Create a webhook that starts a workflow", {
    errors: ["workflow_trashed", "limit_reached"],
  }),
  route("GET", WEBHOOKS, "webhooks.list", 200, "List webhooks"),
  route("GET", `${WORKSPACE}/webhooks`, "webhooks.listAll", 200, "List the webhooks of all spaces"),
  route("DELETE", `${WEBHOOKS}/:id`, "webhooks.remove", 204, "Delete a webhook"),
  route("POST", "/v1/webhooks/:id/trigger", "webhooks.trigger", 201, "Trigger a webhook", {
    headers: { "x-webhook-secret": "secret", prefer: "waitMs" },
    wholeBody: "input",
    delivery: true,
    errors: ["invalid_webhook_secret", "workflow_trashed"],
    audited: false,
  }),
];
