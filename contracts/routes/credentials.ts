import { route, WORKSPACE } from "./route.ts";

const CREDENTIALS = `${WORKSPACE}/credentials`;

export const credentialsRoutes = [
  route("GET", "/v1/credential-types", "credentials.types", 200, "Describe the types of credentials", {
    etag: "content",
  }),
  route("POST", CREDENTIALS, "credentials.create", 201, "Create a credential", {
    errors: ["name_taken", "limit_reached"],
  }),
  route("GET", CREDENTIALS, "credentials.list", 200, "List credentials, without their values"),
  route("GET", `${CREDENTIALS}/:id`, "credentials.get", 200, "Read a credential, without its values"),
  route("PATCH", `${CREDENTIALS}/:id`, "credentials.update", 200, "Change a credential", {
    errors: ["name_taken", "conflict"],
  }),
  route("DELETE", `${CREDENTIALS}/:id`, "credentials.remove", 204, "Delete a credential", {
    errors: ["credential_in_use"],
  }),
  route(
    "POST",
    `${CREDENTIALS}/:id/authorize`,
    "credentials.authorize",
    200,
    "Begin the authorization of a credential",
    {
      errors: ["authorization_refused", "conflict", "credential_unreadable"],
    },
  ),
  route("POST", `${CREDENTIALS}/:id/test`, "credentials.test", 200, "Try a credential"),
];
