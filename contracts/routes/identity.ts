import { route, WORKSPACE } from "./route.ts";

export const BROWSER = "/v1/auth/browser";

const userAgent = { "user-agent": "userAgent" };
const cookie = { cookie: "session" };

const SIGN_IN_ERRORS = [
  "sso_only",
  "invalid_credentials",
  "account_disabled",
  "second_factor_required",
  "invalid_code",
] as const;
const FACTORS = "/v1/auth/factors";

export const identityRoutes = [
  route("GET", "/v1/installation", "identity.installation", 200, "Read what this installation offers"),
  route("POST", "/v1/auth/register", "identity.register", 201, "Register a user", {
    guessable: true,
    errors: ["sso_only", "email_taken", "registration_closed"],
  }),
  route("POST", "/v1/auth/login", "identity.login", 200, "Sign in", {
    guessable: true,
    errors: [...SIGN_IN_ERRORS],
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
  route("POST", `${BROWSER}/register`, "identity.browser.register", 200, "Register on the web page", {
    browser: true,
    guessable: true,
    headers: userAgent,
    errors: ["sso_only", "email_taken", "registration_closed", "origin_not_allowed"],
  }),
  route("POST", `${BROWSER}/login`, "identity.browser.login", 200, "Sign in on the web page", {
    browser: true,
    guessable: true,
    headers: userAgent,
    errors: [...SIGN_IN_ERRORS, "origin_not_allowed"],
  }),
  route(
    "POST",
    `${BROWSER}/token`,
    "identity.browser.token",
    200,
    "Get an access token for the browser's session; null without one",
    { browser: true, headers: cookie, errors: ["origin_not_allowed"], audited: false },
  ),
  route(
    "POST",
    `${BROWSER}/command`,
    "identity.browser.commandCode",
    200,
    "Get a code by which a command signs in as the person of the browser's session",
    { browser: true, headers: cookie, errors: ["unauthenticated", "origin_not_allowed"] },
  ),
  route("POST", "/v1/auth/command", "identity.loginByCode", 200, "Sign in with a code of the web page", {
    guessable: true,
    errors: ["invalid_code", "account_disabled"],
  }),
  route("DELETE", BROWSER, "identity.browser.logout", 204, "End the browser's session", {
    browser: true,
    headers: cookie,
    errors: ["origin_not_allowed"],
  }),
  route(
    "POST",
    "/v1/auth/password/forgot",
    "identity.password.forgot",
    204,
    "Ask for a mail with a link that sets a new password. The answer is the same whether the address has an account.",
    { guessable: true, errors: ["sso_only", "no_mail_configured"], audited: false },
  ),
  route(
    "POST",
    "/v1/auth/password/reset/read",
    "identity.password.readReset",
    200,
    "Read the account of a link that sets a password",
    {
      guessable: true,
      errors: ["link_invalid"],
      audited: false,
    },
  ),
  route(
    "POST",
    "/v1/auth/password/reset",
    "identity.password.reset",
    204,
    "Set a new password by a link. It ends all sessions of the account. A link works once.",
    { guessable: true, errors: ["sso_only", "link_invalid"] },
  ),
  route(
    "POST",
    "/v1/auth/email/confirm",
    "identity.email.confirm",
    200,
    "Confirm a new address by a link. The account gets it when both addresses have confirmed it.",
    { guessable: true, errors: ["link_invalid", "email_taken"] },
  ),
  route("GET", "/v1/auth/events", "identity.events", 200, "List the events of your account, newest first"),
  route("GET", FACTORS, "identity.factors.read", 200, "Read your ways to sign in other than the password"),
  route("POST", `${FACTORS}/totp`, "identity.factors.beginTotp", 200, "Begin to set up an authenticator app", {
    guessable: true,
    errors: ["factor_exists", "sign_in_again"],
  }),
  route(
    "POST",
    `${FACTORS}/totp/confirm`,
    "identity.factors.confirmTotp",
    200,
    "Confirm the authenticator app by a code. From now on, a sign-in by password needs a code.",
    { errors: ["factor_exists", "invalid_code", "conflict", "not_found"] },
  ),
  route("POST", `${FACTORS}/totp/remove`, "identity.factors.removeTotp", 204, "Remove the authenticator app", {
    guessable: true,
    errors: ["sign_in_again", "not_found"],
  }),
  route("POST", `${FACTORS}/recovery-codes`, "identity.factors.renewCodes", 200, "Replace the recovery codes", {
    guessable: true,
    errors: ["conflict", "sign_in_again", "not_found"],
  }),
  route(
    "POST",
    `${FACTORS}/prove`,
    "identity.factors.prove",
    204,
    "Verify your session with a code of a second factor",
    {
      guessable: true,
      errors: ["invalid_code", "not_found"],
    },
  ),
  route("GET", "/v1/auth/sessions", "identity.sessions.list", 200, "List your sessions"),
  route("DELETE", "/v1/auth/sessions/:id", "identity.sessions.remove", 204, "End one of your sessions"),
  route("DELETE", "/v1/auth/sessions", "identity.sessions.removeOthers", 204, "End all your sessions except this one"),
  route(
    "POST",
    "/v1/auth/me/remove",
    "identity.removeMe",
    204,
    "Delete your account, with the workspaces that have no other member. It needs the password.",
    { guessable: true, errors: ["owns_workspaces", "sign_in_again"] },
  ),
  route("GET", "/v1/auth/me", "identity.me", 200, "Read the signed-in user"),
  route(
    "PATCH",
    "/v1/auth/me",
    "identity.updateMe",
    200,
    "Change the signed-in user. A new address or password needs the current password. A new password ends all other sessions. Where Weft sends mails, a new address takes effect when both addresses have confirmed it.",
    { guessable: true, errors: ["email_taken", "sign_in_again"] },
  ),
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
  route(
    "POST",
    `${WORKSPACE}/api-keys/:id/rotate`,
    "identity.apiKeys.rotate",
    200,
    "Give an API key a new value, which is shown only once. The former one stays valid for a while.",
    { errors: ["conflict"] },
  ),
  route("DELETE", `${WORKSPACE}/api-keys/:id`, "identity.apiKeys.remove", 204, "Revoke an API key immediately"),
];
