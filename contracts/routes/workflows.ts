import { IF_MATCH, route, SPACE, WORKSPACE } from "./route.ts";

const WORKFLOWS = `${SPACE}/workflows`;

export const workflowsRoutes = [
  route("POST", WORKFLOWS, "workflows.create", 201, "Create a workflow", {
    etag: "workflow",
    errors: ["slug_taken"],
  }),
  route("GET", WORKFLOWS, "workflows.list", 200, "List workflows, or those in the trash"),
  route(
    "GET",
    `${WORKSPACE}/workflows`,
    "workflows.listAll",
    200,
    "List the workflows of all spaces, without their definitions",
  ),
  route("GET", `${WORKFLOWS}/:id`, "workflows.get", 200, "Read a workflow", { etag: "workflow" }),
  route("PATCH", `${WORKFLOWS}/:id`, "workflows.update", 200, "Change a workflow. Each change creates a version.", {
    etag: "workflow",
    headers: IF_MATCH,
    errors: ["precondition_failed", "conflict"],
  }),
  route("DELETE", `${WORKFLOWS}/:id`, "workflows.remove", 204, "Delete a workflow permanently"),
  route("POST", `${WORKFLOWS}/:id/deploy`, "workflows.deploy", 200, "Deploy the newest version, or another one", {
    etag: "workflow",
    errors: ["workflow_trashed", "conflict", "invalid_definition"],
  }),
  route("GET", `${WORKFLOWS}/:id/deployments`, "workflows.deployments", 200, "List deployments"),
  route("GET", `${WORKFLOWS}/:id/callers`, "workflows.callers", 200, "List the workflows that call a workflow"),
  route("PATCH", `${WORKFLOWS}/:id/star`, "workflows.star", 200, "Star or unstar a workflow", { etag: "workflow" }),
  route("PATCH", `${WORKFLOWS}/:id/trash`, "workflows.trash", 200, "Move a workflow to the trash", {
    etag: "workflow",
    headers: IF_MATCH,
    errors: ["precondition_failed", "conflict"],
  }),
  route("PATCH", `${WORKFLOWS}/:id/restore`, "workflows.restore", 200, "Restore a workflow from the trash", {
    etag: "workflow",
  }),
  route("GET", `${WORKFLOWS}/:id/versions`, "workflows.versions", 200, "List versions"),
  route("GET", `${WORKFLOWS}/:id/versions/:version`, "workflows.version", 200, "Read a version"),
  route("GET", `${WORKFLOWS}/:id/versions/:from/diff/:to`, "workflows.diff", 200, "Compare two versions"),
  route(
    "POST",
    `${WORKFLOWS}/:id/versions/:version/restore`,
    "workflows.restoreVersion",
    200,
    "Restore a version as the newest",
    {
      etag: "workflow",
      headers: IF_MATCH,
      errors: ["precondition_failed", "conflict"],
    },
  ),
  route("POST", `${WORKFLOWS}/:id/duplicate`, "workflows.duplicate", 201, "Copy a workflow within the workspace", {
    etag: "workflow",
    variables: { sId: "fromSpaceId" },
  }),
  route("GET", `${WORKFLOWS}/:id/export`, "workflows.export", 200, "Export a workflow"),
  route("POST", `${WORKFLOWS}/import`, "workflows.import", 201, "Create a workflow from a file", {
    etag: "workflow",
    wholeBody: "document",
  }),
  route("POST", `${WORKFLOWS}/validate`, "workflows.check", 200, "Validate a workflow file without saving it", {
    wholeBody: "document",
    // The call changes nothing.
    audited: false,
  }),
  route("GET", "/v1/node-types", "workflows.nodeTypes", 200, "Describe the node types", { etag: "content" }),
  route("GET", "/v1/templates", "workflows.templates", 200, "List templates, sorted by name"),
  route(
    "POST",
    `${WORKFLOWS}/from-template/:templateId`,
    "workflows.fromTemplate",
    201,
    "Create a workflow from a template",
    {
      etag: "workflow",
    },
  ),
  route("POST", `${WORKFLOWS}/test-run`, "executions.testRun", 200, "Run a whole graph without storing anything", {
    errors: ["workflow_trashed"],
  }),
  route("POST", `${WORKFLOWS}/:id/test`, "executions.test", 200, "Test one step without storing anything"),
  route("POST", `${WORKFLOWS}/:id/preview`, "executions.preview", 200, "Evaluate expressions without running a step", {
    // The call changes nothing.
    audited: false,
  }),
  route("POST", `${WORKFLOWS}/:id/validate`, "workflows.validate", 200, "Validate a workflow", {
    // The call changes nothing.
    audited: false,
  }),
];
