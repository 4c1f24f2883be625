import { route, WORKSPACE } from "./route.ts";

const SERVERS = `${WORKSPACE}/mcp-servers`;
const TOOLS = `${SERVERS}/tools`;

export const mcpRoutes = [
  route("POST", SERVERS, "mcp.create", 201, "Register a tool server; its tools are synced in the background", {
    errors: ["limit_reached"],
  }),
  route("GET", SERVERS, "mcp.list", 200, "List tool servers"),
  route("GET", `${SERVERS}/:id`, "mcp.get", 200, "Read a tool server with its status"),
  route("PATCH", `${SERVERS}/:id`, "mcp.update", 200, "Change a tool server", { errors: ["conflict"] }),
  route("DELETE", `${SERVERS}/:id`, "mcp.remove", 204, "Delete a tool server and all its tools"),
  route("POST", `${SERVERS}/:id/sync`, "mcp.sync", 200, "Sync the tools of a server now"),
  route("GET", `${SERVERS}/:id/tools`, "mcp.tools.list", 200, "List the tools of a server"),
  route(
    "GET",
    `${SERVERS}/:id/changes`,
    "mcp.changes",
    200,
    "Read how the tools of a server changed, and who uses them",
  ),
  route("POST", `${TOOLS}/search`, "mcp.tools.search", 200, "Find tools by meaning and keywords", {
    audited: false,
    searches: true,
  }),
  route("GET", `${TOOLS}/:toolId`, "mcp.tools.get", 200, "Read a tool"),
  route("POST", `${TOOLS}/:toolId/call`, "mcp.tools.call", 200, "Call a tool", {
    errors: [
      "tool_arguments_invalid",
      "tool_server_unavailable",
      "tool_server_refused",
      "tool_timeout",
      "tool_call_failed",
    ],
  }),
];
