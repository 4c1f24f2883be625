import { route, WORKSPACE } from "./route.ts";

const BROWSER_SSO = "/v1/auth/browser/sso";
const PROVIDERS = "/v1/auth/providers";
const SSO = `${WORKSPACE}/sso`;

export const ssoRoutes = [
  route("POST", BROWSER_SSO, "identity.browser.sso.begin", 200, "Begin to sign in with a provider on the web page", {
    browser: true,
    guessable: true,
    errors: ["origin_not_allowed", "not_found", "sso_refused", "sso_unavailable"],
  }),
  route(
    "POST",
    `${BROWSER_SSO}/finish`,
    "identity.browser.sso.finish",
    200,
    "Sign in by what the provider answered. An attempt works once, for ten minutes.",
    {
      browser: true,
      guessable: true,
      headers: { "user-agent": "userAgent" },
      errors: [
        "origin_not_allowed",
        "not_found",
        "sso_refused",
        "sso_unavailable",
        "sso_not_linked",
        "registration_closed",
        "account_disabled",
      ],
    },
  ),
  route("GET", PROVIDERS, "identity.providers.list", 200, "List the providers that are linked to your account"),
  route("POST", PROVIDERS, "identity.providers.begin", 200, "Begin to link a provider to your account", {
    guessable: true,
    errors: ["not_found", "sso_refused", "sso_unavailable", "sign_in_again"],
  }),
  route("POST", `${PROVIDERS}/finish`, "identity.providers.finish", 200, "Finish linking a provider to your account", {
    errors: ["not_found", "sso_refused", "sso_unavailable", "sso_linked_elsewhere"],
  }),
  route("POST", `${PROVIDERS}/:id/remove`, "identity.providers.remove", 204, "Remove a provider from your account", {
    guessable: true,
    errors: ["sign_in_again", "last_way_in"],
  }),
  route("GET", SSO, "workspaces.sso.read", 200, "Read which groups of providers give a role"),
  route(
    "PATCH",
    SSO,
    "workspaces.sso.update",
    200,
    "Set which groups of providers give a role. It takes effect at a person's next sign-in by the provider.",
  ),
];
