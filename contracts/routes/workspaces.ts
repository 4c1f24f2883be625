import { route, WORKSPACE, type Route } from "./route.ts";

export const workspacesRoutes: Route[] = [
  route("POST", "/v1/workspaces", "workspaces.create", 201, "Create a workspace; the caller becomes its owner", {
    errors: ["slug_taken"],
  }),
  route("GET", "/v1/workspaces", "workspaces.list", 200, "List one's workspaces"),
  route("GET", WORKSPACE, "workspaces.get", 200, "Read a workspace"),
  route("PATCH", WORKSPACE, "workspaces.update", 200, "Change a workspace", { errors: ["slug_taken"] }),
  route("DELETE", WORKSPACE, "workspaces.remove", 204, "Delete a workspace and all its contents"),
  route("GET", `${WORKSPACE}/members`, "workspaces.members", 200, "List members with their roles"),
  route("PATCH", `${WORKSPACE}/members/:userId`, "workspaces.updateMember", 200, "Change a member's role", {
    errors: ["owner_is_fixed"],
  }),
  route("DELETE", `${WORKSPACE}/members/:userId`, "workspaces.removeMember", 204, "Remove a member, or leave", {
    errors: ["owner_is_fixed"],
    role: "admin",
  }),
];
