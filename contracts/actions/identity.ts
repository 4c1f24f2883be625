import { z } from "zod";
import { action, inWorkspace } from "../define-action.ts";
import { accountEvent } from "../entities/account-event.ts";
import { apiKey, newApiKey } from "../entities/api-key.ts";
import { factorCode, factors, newTotp, recoveryCodes } from "../entities/factor.ts";
import { installation } from "../entities/installation.ts";
import {
  addressConfirmed,
  browserSession,
  commandCode,
  email,
  identity,
  mailChoice,
  password,
  passwordReset,
  preferences,
  profile,
  session,
  signedIn,
  user,
} from "../entities/user.ts";
import { addressRanges, keyScopes } from "../key-scopes.ts";
import { id, moment, name, nothing, page, pageInput, role } from "../primitives.ts";

/** At sign-in, a password is only compared, so the rules for new passwords do not apply. Only its length is limited. */
const anyPassword = z.string().max(256);
/**
 * The password of an account that has one. For an account without one, the session must have begun within the last 15
 * minutes.
 */
const ownPassword = anyPassword.optional();
/** The code of an authenticator app, or a recovery code, if the account has a second factor. */
const code = factorCode.optional();
const token = z.string().min(1).max(4_096);
/** The token of an invite. It admits a person to an installation whose registration is closed. */
const invite = z.string().min(1).max(200).optional();

/** one week */
const MAX_OVERLAP_S = 7 * 86_400;

/** Fields that the gateway fills in from headers. */
const ofBrowser = { userAgent: z.string().max(1_000).optional() };
const cookie = { session: token.optional() };

export const identityActions = {
  "identity.installation": action("public", {}, installation),
  "identity.register": action("public", { email, password, name: name.optional(), invite }, signedIn),
  "identity.login": action("public", { email, password: anyPassword, code }, signedIn),
  "identity.refresh": action("public", { refreshToken: token }, signedIn),
  "identity.logout": action("user", {}, nothing),
  "identity.browser.register": action(
    "public",
    { email, password, name: name.optional(), invite, ...ofBrowser },
    browserSession,
  ),
  "identity.browser.login": action("public", { email, password: anyPassword, code, ...ofBrowser }, browserSession),
  /** A new access token; null if the browser has no session. */
  "identity.browser.token": action("public", { ...cookie }, browserSession.nullable()),
  "identity.browser.logout": action("public", { ...cookie }, nothing),
  /** A code with which a command signs in as the person of the browser's session. The command keeps the verifier. */
  "identity.browser.commandCode": action(
    "public",
    { ...cookie, challenge: z.string().length(43).meta({ description: "A SHA-256 digest as base64url." }) },
    commandCode,
  ),
  /** `challenge` is the SHA-256 digest of `verifier`. Errors: invalid_code, account_disabled. */
  "identity.loginByCode": action(
    "public",
    { code: z.string().min(1).max(500), verifier: z.string().min(43).max(128) },
    signedIn,
  ),
  /** Requests a mail with a link. The response and its duration are the same for every address. */
  "identity.password.forgot": action("public", { email }, nothing),
  /** The address whose password a link resets. */
  "identity.password.readReset": action("public", { token }, passwordReset),
  "identity.password.reset": action("public", { token, password }, nothing),
  /** One of the two confirmations that a new address needs. */
  "identity.email.confirm": action("public", { token }, addressConfirmed),
  /** Whether the person with this address has signed in from a network address before. */
  "identity.knowsAddress": action(
    "internal",
    { email: z.string().max(254), address: z.string().max(100) },
    z.boolean(),
    { reads: true },
  ),
  "identity.events": action("user", { ...pageInput }, page(accountEvent)),
  "identity.factors.read": action("user", {}, factors),
  "identity.factors.beginTotp": action("user", { password: ownPassword }, newTotp),
  "identity.factors.confirmTotp": action("user", { code: factorCode }, recoveryCodes),
  "identity.factors.removeTotp": action("user", { password: ownPassword }, nothing),
  "identity.factors.renewCodes": action("user", { password: ownPassword }, recoveryCodes),
  /** Proves the session with a code, as a sign-in would. */
  "identity.factors.prove": action("user", { code: factorCode }, nothing),
  "identity.sessions.list": action("user", { ...pageInput }, page(session)),
  "identity.sessions.remove": action("user", { id }, nothing),
  /** Ends all other sessions of the caller. */
  "identity.sessions.removeOthers": action("user", {}, nothing),
  "identity.me": action("user", {}, profile),
  "identity.updateMe": action(
    "user",
    {
      name: name.nullable().optional(),
      /** A change requires the current password. */
      email: email.optional(),
      /** A new password ends every other session of the user. */
      password: z.strictObject({ current: ownPassword, new: password.optional() }).optional(),
      preferences: preferences.optional(),
      mails: mailChoice.optional(),
    },
    profile,
  ),
  /** Deletes the caller's account. Errors: owns_workspaces. */
  "identity.removeMe": action("user", { password: anyPassword.optional() }, nothing),
  /** The identity behind a bearer token, or null. */
  "identity.verify": action("internal", { token, address: z.string().max(100).optional() }, identity.nullable(), {
    reads: true,
  }),
  /** The existing users among these ids, in any order. At most one page of ids. */
  "identity.users": action("internal", { ids: z.array(id).max(200) }, z.array(user), { reads: true }),
  /** Succeeds if the store accepts writes and serves reads. */
  "identity.proveStore": action("internal", {}, nothing),
  /** How the existing users among these ids want to receive notifications. */
  "identity.mailChoices": action(
    "internal",
    { ids: z.array(id).max(200) },
    z.array(z.object({ id, email, mails: mailChoice })),
    { reads: true },
  ),
  "identity.userByEmail": action("internal", { email }, user.nullable(), { reads: true }),
  "identity.apiKeys.create": inWorkspace(
    "admin",
    {
      name,
      role: role.default("editor"),
      expiresAt: moment.nullable().optional(),
      scopes: keyScopes.default([]),
      addresses: addressRanges.default([]),
    },
    newApiKey,
  ),
  /** Creates a new value for a key. The previous one remains valid for `overlapSeconds`. Errors: conflict. */
  "identity.apiKeys.rotate": inWorkspace(
    "admin",
    { id, overlapSeconds: z.int().min(0).max(MAX_OVERLAP_S).default(86_400) },
    newApiKey,
  ),
  "identity.apiKeys.list": inWorkspace("admin", { ...pageInput }, page(apiKey)),
  "identity.apiKeys.remove": inWorkspace("admin", { id }, nothing),
  /** Ends the API keys of a workspace, or only those that one user created in it. */
  "identity.apiKeys.purge": action("internal", { workspaceId: id, userId: id.optional() }, nothing),
};
