import { route, WORKSPACE } from "./route.ts";

export const identityRoutes = [
  route("POST", "/v1/auth/register", "identity.register", 201, "Register a user", {
    guessable: true,
    errors: ["email_taken"],
  }),
  route("POST", "/v1/auth/login", "identity.login", 200, "Sign in", {
    guessable: true,
    errors: ["invalid_credentials"],
  }),
  route(
    "POST",
    "/v1/auth/refresh",
    "identity.refresh",
    200,
    "Renew a session. A replaced refresh token gets the same answer for 30 seconds; after that it ends the session.",
    {
      errors: ["invalid_refresh_token"],
    },
  ),
  route("POST", "/v1/auth/logout", "identity.logout", 204, "End the session"),
  route("GET", "/v1/auth/me", "identity.me", 200, "Read the signed-in user"),
  route("PATCH", "/v1/auth/me", "identity.updateMe", 200, "Change the signed-in user"),
  route(
    "POST",
    `${WORKSPACE}/api-keys`,
    "identity.apiKeys.create",
    201,
    "Create an API key. Its value is shown only once.",
    {
      errors: ["limit_reached"],
    },
  ),
  route("GET", `${WORKSPACE}/api-keys`, "identity.apiKeys.list", 200, "List API keys, without their values"),
  route("DELETE", `${WORKSPACE}/api-keys/:id`, "identity.apiKeys.remove", 204, "Revoke an API key immediately"),
];
