import { route, SPACE, type Route } from "./route.ts";

const WORKFLOWS = `${SPACE}/workflows`;

export const workflowsRoutes: Route[] = [
  route("POST", WORKFLOWS, "workflows.create", 201, "Create a workflow", { etag: true }),
  route("GET", WORKFLOWS, "workflows.list", 200, "List workflows, or the trashed ones"),
  route("GET", `${WORKFLOWS}/:id`, "workflows.get", 200, "Read a workflow", { etag: true }),
  route("PATCH", `${WORKFLOWS}/:id`, "workflows.update", 200, "Change a workflow; a change makes a version", {
    etag: true,
    headers: { "if-match": "ifMatch" },
    errors: ["precondition_failed", "conflict"],
  }),
  route("DELETE", `${WORKFLOWS}/:id`, "workflows.remove", 204, "Delete a workflow for good"),
  route("POST", `${WORKFLOWS}/:id/deploy`, "workflows.deploy", 200, "Deploy the newest version", {
    etag: true,
    errors: ["workflow_trashed"],
  }),
  route("PATCH", `${WORKFLOWS}/:id/star`, "workflows.star", 200, "Star or unstar", { etag: true }),
  route("PATCH", `${WORKFLOWS}/:id/trash`, "workflows.trash", 200, "Move to the trash", { etag: true }),
  route("PATCH", `${WORKFLOWS}/:id/restore`, "workflows.restore", 200, "Take out of the trash", { etag: true }),
  route("GET", `${WORKFLOWS}/:id/versions`, "workflows.versions", 200, "List versions"),
  route("GET", `${WORKFLOWS}/:id/versions/:version`, "workflows.version", 200, "Read a version"),
  route("POST", `${WORKFLOWS}/:id/validate`, "workflows.validate", 200, "Say what would fail when it runs"),
];
