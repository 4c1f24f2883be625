import { route, SPACE } from "./route.ts";

const WORKFLOWS = `${SPACE}/workflows`;

export const workflowsRoutes = [
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
    errors: ["workflow_trashed", "conflict", "invalid_definition"],
  }),
  route("PATCH", `${WORKFLOWS}/:id/star`, "workflows.star", 200, "Star or unstar", { etag: true }),
  route("PATCH", `${WORKFLOWS}/:id/trash`, "workflows.trash", 200, "Move to the trash", { etag: true }),
  route("PATCH", `${WORKFLOWS}/:id/restore`, "workflows.restore", 200, "Take out of the trash", { etag: true }),
  route("GET", `${WORKFLOWS}/:id/versions`, "workflows.versions", 200, "List versions"),
  route("GET", `${WORKFLOWS}/:id/versions/:version`, "workflows.version", 200, "Read a version"),
  route(
    "GET",
    `${WORKFLOWS}/:id/versions/:from/diff/:to`,
    "workflows.diff",
    200,
    "Say what differs between two versions",
  ),
  route(
    "POST",
    `${WORKFLOWS}/:id/versions/:version/restore`,
    "workflows.restoreVersion",
    200,
    "Make a version the newest",
    {
      etag: true,
      headers: { "if-match": "ifMatch" },
      errors: ["precondition_failed", "conflict"],
    },
  ),
  route("POST", `${WORKFLOWS}/:id/duplicate`, "workflows.duplicate", 201, "Copy a workflow within the workspace", {
    etag: true,
    variables: { sId: "fromSpaceId" },
  }),
  route("GET", `${WORKFLOWS}/:id/export`, "workflows.export", 200, "Give a workflow as a file"),
  route("POST", `${WORKFLOWS}/import`, "workflows.import", 201, "Create a workflow from a file", {
    etag: true,
    wholeBody: "document",
  }),
  route("POST", `${WORKFLOWS}/validate`, "workflows.check", 200, "Say what would fail of a file, without keeping it", {
    wholeBody: "document",
    // It changes nothing.
    audited: false,
  }),
  route("GET", "/v1/templates", "workflows.templates", 200, "List templates, by their names"),
  route(
    "POST",
    `${WORKFLOWS}/from-template/:templateId`,
    "workflows.fromTemplate",
    201,
    "Create a workflow from a template",
    {
      etag: true,
    },
  ),
  route("POST", `${WORKFLOWS}/:id/test`, "executions.test", 200, "Try one step; nothing of it is stored"),
  route("POST", `${WORKFLOWS}/:id/validate`, "workflows.validate", 200, "Say what would fail when it runs", {
    // It changes nothing.
    audited: false,
  }),
];
