import { route } from "./route.ts";

const BROWSER_PASSKEYS = "/v1/auth/browser/passkeys";
const PASSKEYS = "/v1/auth/passkeys";

export const passkeysRoutes = [
  route("POST", BROWSER_PASSKEYS, "identity.browser.passkeys.begin", 200, "Begin to sign in with a passkey", {
    browser: true,
    guessable: true,
    errors: ["origin_not_allowed", "sso_only", "no_passkeys_here"],
  }),
  route("POST", `${BROWSER_PASSKEYS}/finish`, "identity.browser.passkeys.finish", 200, "Sign in with a passkey", {
    browser: true,
    guessable: true,
    headers: { "user-agent": "userAgent" },
    errors: ["origin_not_allowed", "sso_only", "no_passkeys_here", "passkey_refused", "account_disabled"],
  }),
  route("GET", PASSKEYS, "identity.passkeys.list", 200, "List your passkeys"),
  route("POST", PASSKEYS, "identity.passkeys.begin", 200, "Begin to create a passkey", {
    guessable: true,
    errors: ["no_passkeys_here", "sign_in_again", "limit_reached"],
  }),
  route(
    "POST",
    `${PASSKEYS}/finish`,
    "identity.passkeys.finish",
    200,
    "Add the passkey that the browser made. From now on, a sign-in by password needs a second factor.",
    { errors: ["no_passkeys_here", "passkey_refused", "limit_reached"] },
  ),
  route("PATCH", `${PASSKEYS}/:id`, "identity.passkeys.rename", 200, "Rename one of your passkeys"),
  route("POST", `${PASSKEYS}/:id/remove`, "identity.passkeys.remove", 204, "Remove one of your passkeys", {
    guessable: true,
    errors: ["sign_in_again", "last_way_in"],
  }),
];
