import { z } from "zod";
import { action, inWorkspace } from "../define-action.ts";
import { groupRole, groupRoles, linkedProvider, providerAnswer, providerId, providerVisit } from "../entities/sso.ts";
import { browserSession } from "../entities/user.ts";
import { id, nothing, page, pageInput } from "../primitives.ts";

const MAX_GROUP_ROLES = 200;

/**
 * The password of an account that has one. For an account without one, the session must have begun within the last 15
 * minutes.
 */
const password = z.string().max(256).optional();

export const ssoActions = {
  /**
   * The invite admits a person to an installation whose registration is closed. Errors: sso_refused, sso_unavailable.
   */
  "identity.browser.sso.begin": action(
    "public",
    { provider: providerId, invite: z.string().min(1).max(200).optional() },
    providerVisit,
  ),
  "identity.browser.sso.finish": action(
    "public",
    { ...providerAnswer, userAgent: z.string().max(1_000).optional() },
    browserSession,
  ),
  "identity.providers.list": action("user", { ...pageInput }, page(linkedProvider)),
  "identity.providers.begin": action("user", { provider: providerId, password }, providerVisit),
  "identity.providers.finish": action("user", providerAnswer, linkedProvider),
  "identity.providers.remove": action("user", { id, password }, nothing),
  /** Ends the sessions that a logout token of a provider names. Errors: sso_refused, sso_unavailable. */
  "identity.sso.logout": action("internal", { provider: providerId, token: z.string().max(8_192) }, nothing),
  "workspaces.sso.read": inWorkspace("admin", {}, groupRoles),
  /** Replaces the list. Roles above the caller's own role are refused. */
  "workspaces.sso.update": inWorkspace(
    "admin",
    { groups: z.array(groupRole.strict()).max(MAX_GROUP_ROLES) },
    groupRoles,
  ),
  /**
   * Gives a person who signed in through a provider the roles of the person's groups. Ends roles that no group gives
   * any more.
   */
  "workspaces.applyGroups": action(
    "internal",
    {
      userId: id,
      provider: providerId,
      groups: z.array(z.string().max(300)).max(2_000),
      /** The address of the sign-in, for the audit log. */
      address: z.string().max(100).optional(),
    },
    nothing,
  ),
};
