import { route, WORKSPACE } from "./route.ts";

export const workspacesRoutes = [
  route("POST", "/v1/workspaces", "workspaces.create", 201, "Create a workspace. The caller becomes its owner.", {
    errors: ["slug_taken"],
  }),
  route("GET", "/v1/workspaces", "workspaces.list", 200, "List your workspaces"),
  route("GET", WORKSPACE, "workspaces.get", 200, "Read a workspace"),
  route("GET", "/v1/workspaces/by-slug/:slug", "workspaces.bySlug", 200, "Find one of your workspaces by its slug"),
  route(
    "GET",
    `${WORKSPACE}/summary`,
    "workspaces.summary",
    200,
    "Count the resources of a workspace, for its home page",
  ),
  route("GET", `${WORKSPACE}/search`, "workspaces.search", 200, "Search the resources of a workspace by name"),
  route(
    "GET",
    `${WORKSPACE}/usage`,
    "workspaces.usage",
    200,
    "Read what a workspace has used, today, this month and by day, and what it may use",
  ),
  route("PATCH", WORKSPACE, "workspaces.update", 200, "Change a workspace", {
    errors: ["slug_taken", "api_key_not_allowed"],
  }),
  route("DELETE", WORKSPACE, "workspaces.remove", 204, "Delete a workspace and all its contents"),
  route(
    "POST",
    `${WORKSPACE}/import`,
    "workspaces.import",
    200,
    "Import records of an archive. A repeat changes nothing.",
    {
      errors: ["limit_reached", "conflict"],
    },
  ),
  route("GET", `${WORKSPACE}/members`, "workspaces.members", 200, "List members with their roles"),
  route("PATCH", `${WORKSPACE}/members/:userId`, "workspaces.updateMember", 200, "Change a member's role", {
    errors: ["owner_is_fixed", "role_managed"],
  }),
  route("DELETE", `${WORKSPACE}/members/:userId`, "workspaces.removeMember", 204, "Remove a member, or leave", {
    errors: ["owner_is_fixed", "role_managed"],
    role: "admin",
  }),
  route(
    "POST",
    `${WORKSPACE}/invites`,
    "workspaces.invites.create",
    201,
    "Invite a user. The token is shown only once.",
    {
      errors: ["already_member", "already_invited", "limit_reached"],
    },
  ),
  route("GET", `${WORKSPACE}/invites`, "workspaces.invites.list", 200, "List pending invites"),
  route("DELETE", `${WORKSPACE}/invites/:inviteId`, "workspaces.invites.remove", 204, "Revoke a pending invite"),
  route("POST", `${WORKSPACE}/views`, "workspaces.views.create", 201, "Save the filters of a page as a view", {
    errors: ["limit_reached"],
  }),
  route("GET", `${WORKSPACE}/views`, "workspaces.views.list", 200, "List your saved views, and the shared ones"),
  route("PATCH", `${WORKSPACE}/views/:id`, "workspaces.views.update", 200, "Change a saved view, or one of your own", {
    errors: ["limit_reached"],
    role: "admin",
  }),
  route("DELETE", `${WORKSPACE}/views/:id`, "workspaces.views.remove", 204, "Delete a saved view, or one of your own", {
    role: "admin",
  }),
  route("POST", "/v1/invites/read", "workspaces.invites.read", 200, "Read the invite that a token opens", {
    errors: ["not_found", "invite_expired", "invite_used", "invite_declined"],
    audited: false,
  }),
  route("POST", "/v1/invites/accept", "workspaces.invites.accept", 200, "Accept an invite and join the workspace", {
    errors: [
      "invite_not_yours",
      "not_found",
      "already_member",
      "invite_used",
      "invite_declined",
      "invite_expired",
      "limit_reached",
    ],
  }),
  route("POST", "/v1/invites/decline", "workspaces.invites.decline", 204, "Decline an invite", {
    errors: ["not_found", "invite_used", "invite_expired"],
  }),
];
