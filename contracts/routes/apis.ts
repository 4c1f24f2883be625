import { route, WORKSPACE } from "./route.ts";

const APIS = `${WORKSPACE}/apis`;

export const apiRoutes = [
  route("POST", APIS, "mcp.apis.create", 201, "Register an API by its OpenAPI document. Its operations become tools.", {
    errors: ["limit_reached", "payload_too_large"],
  }),
  route("GET", APIS, "mcp.apis.list", 200, "List APIs"),
  route("GET", `${APIS}/:id`, "mcp.apis.get", 200, "Read an API with its status"),
  route("PATCH", `${APIS}/:id`, "mcp.apis.update", 200, "Change an API", { errors: ["conflict", "payload_too_large"] }),
  route("DELETE", `${APIS}/:id`, "mcp.apis.remove", 204, "Delete an API and all its operations"),
  route("POST", `${APIS}/:id/sync`, "mcp.apis.sync", 200, "Sync the operations of an API now"),
  route("GET", `${APIS}/:id/operations`, "mcp.apis.operations", 200, "List the operations of an API, as tools"),
  route(
    "GET",
    `${APIS}/:id/changes`,
    "mcp.apis.changes",
    200,
    "List changes of an API's operations, and the workflows that use them",
  ),
  route("GET", `${APIS}/:id/workflows`, "mcp.apis.workflows", 200, "List the workflows that use an API's operations"),
];
