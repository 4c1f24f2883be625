import { route, WORKSPACE } from "./route.ts";

const SERVERS = `${WORKSPACE}/mcp-servers`;
const TOOLS = `${SERVERS}/tools`;

export const mcpRoutes = [
  route("POST", SERVERS, "mcp.create", 201, "Register an MCP server. Its tools are synced in the background.", {
    errors: ["limit_reached"],
  }),
  route("GET", SERVERS, "mcp.list", 200, "List MCP servers"),
  route("GET", `${SERVERS}/:id`, "mcp.get", 200, "Read an MCP server with its status"),
  route("PATCH", `${SERVERS}/:id`, "mcp.update", 200, "Change an MCP server", { errors: ["conflict"] }),
  route("DELETE", `${SERVERS}/:id`, "mcp.remove", 204, "Delete an MCP server and all its tools"),
  route("POST", `${SERVERS}/:id/sync`, "mcp.sync", 200, "Sync the tools of an MCP server now"),
  route("GET", `${SERVERS}/:id/tools`, "mcp.tools.list", 200, "List the tools of an MCP server"),
  route(
    "GET",
    `${SERVERS}/:id/changes`,
    "mcp.changes",
    200,
    "List changes of an MCP server's tools, and the workflows that use them",
  ),
  route("GET", `${SERVERS}/:id/workflows`, "mcp.workflows", 200, "List the workflows that use an MCP server's tools"),
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
