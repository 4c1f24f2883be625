import { route } from "./route.ts";

const OPERATOR = "/v1/operator";
const USER = `${OPERATOR}/users/:userId`;
const WORKSPACE = `${OPERATOR}/workspaces/:wId`;

export const operatorRoutes = [
  route("GET", `${OPERATOR}/status`, "identity.operator.status", 200, "Read the status of the installation"),
  route("GET", `${OPERATOR}/users`, "identity.operator.users.list", 200, "List accounts, or search them by address"),
  route("GET", USER, "identity.operator.users.get", 200, "Read an account"),
  route(
    "POST",
    `${OPERATOR}/users`,
    "identity.operator.users.create",
    201,
    "Create an account. The response contains the link that sets its password.",
    { errors: ["email_taken"] },
  ),
  route(
    "PATCH",
    USER,
    "identity.operator.users.update",
    200,
    "Disable an account, or enable it again. The sessions of a disabled account end, and its API keys stop.",
    { errors: ["account_is_own"] },
  ),
  route(
    "DELETE",
    USER,
    "identity.operator.users.remove",
    204,
    "Delete an account, with the workspaces that have no other member",
    { errors: ["account_is_own", "owns_workspaces"] },
  ),
  route("POST", `${USER}/reset-link`, "identity.operator.users.makeResetLink", 200, "Make a link that sets a password"),
  route("DELETE", `${USER}/sessions`, "identity.operator.users.endSessions", 204, "End all sessions of an account"),
  route("DELETE", `${USER}/factors`, "identity.operator.users.removeFactors", 204, "Remove the second factor"),
  route("GET", `${OPERATOR}/workspaces`, "workspaces.operator.list", 200, "List workspaces, or search them by slug"),
  route("GET", WORKSPACE, "workspaces.operator.get", 200, "Read who owns a workspace, and how many members it has"),
  route("DELETE", WORKSPACE, "workspaces.operator.remove", 204, "Delete a workspace and all its contents"),
  route("GET", `${WORKSPACE}/quotas`, "workspaces.operator.getQuotas", 200, "Read the quotas of a workspace"),
  route(
    "PATCH",
    `${WORKSPACE}/quotas`,
    "workspaces.operator.setQuotas",
    200,
    "Change the quotas of a workspace. They apply everywhere after ten seconds.",
  ),
  route(
    "POST",
    `${WORKSPACE}/owner`,
    "workspaces.operator.setOwner",
    200,
    "Make a user the only owner of a workspace. Former owners become admins.",
  ),
];
