import { z } from "zod";
import { action, inWorkspace } from "../define-action.ts";
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  archiveHead,
  archiveRecord,
  imported,
  MAX_RECORDS,
} from "../entities/archive.ts";
import { foundInWorkspace, foundType } from "../entities/found.ts";
import { invite, inviteOffer, newInvite } from "../entities/invite.ts";
import { email } from "../entities/user.ts";
import { savedView, viewName, viewPage, viewQuery } from "../entities/saved-view.ts";
import { levelName, quotas, usage } from "../entities/quota.ts";
import { member, workspace } from "../entities/workspace.ts";
import { workspaceSummary } from "../entities/workspace-summary.ts";
import { id, MAX_PAGE, name, nothing, page, pageInput, role, several, slug, trimmed } from "../primitives.ts";

const amount = z.int().min(0);

export const workspacesActions = {
  "workspaces.create": action("user", { name, slug: slug.optional() }, workspace),
  "workspaces.list": action("user", { ...pageInput }, page(workspace), { apiKeys: true }),
  "workspaces.get": inWorkspace("viewer", {}, workspace),
  /** A workspace of the caller by its slug. Errors: not_found, also when the caller is not a member. */
  "workspaces.bySlug": action("user", { slug: z.string().min(1).max(100) }, workspace),
  "workspaces.summary": inWorkspace("viewer", {}, workspaceSummary),
  /** It has no errors of its own. Kinds whose service does not respond in time are listed in the result instead. */
  "workspaces.search": inWorkspace(
    "viewer",
    {
      q: trimmed(200).meta({
        description: "Words of the name, or the id of a run. Every word has to occur. Case is ignored.",
      }),
      types: several(foundType).optional().meta({ description: "Only these kinds." }),
      limit: z.int().min(1).max(50).default(20),
    },
    foundInWorkspace,
  ),
  "workspaces.update": inWorkspace(
    "admin",
    {
      name: name.optional(),
      slug: slug.optional(),
      demandsFactor: z.boolean().optional().meta({
        description:
          "Whether members need a second factor. Only an owner who has used one can set this. API keys cannot.",
      }),
    },
    workspace,
  ),
  "workspaces.remove": inWorkspace("owner", {}, nothing),
  /**
   * Begins an export and returns the head of the archive. The audit log gets an entry. The gateway then reads the
   * records.
   */
  "workspaces.export": inWorkspace(
    "admin",
    { address: z.string().max(100), requestId: z.string().max(128) },
    archiveHead,
  ),
  /**
   * Imports records of an archive, in its order. A repeated request changes nothing. Errors: validation_failed when a
   * record refers to something that the workspace lacks, limit_reached, payload_too_large.
   */
  "workspaces.import": inWorkspace(
    "admin",
    {
      archive: z.strictObject({
        format: z.literal(ARCHIVE_FORMAT),
        version: z.literal(ARCHIVE_VERSION),
        workspaceId: id.meta({ description: "The `workspace.id` of the archive's head." }),
      }),
      records: z.array(archiveRecord).min(1).max(MAX_RECORDS),
    },
    imported,
  ),
  "workspaces.members": inWorkspace("viewer", { ...pageInput }, page(member)),
  "workspaces.updateMember": inWorkspace("admin", { userId: id, role }, member),
  /** Any member may leave the workspace, so the handler checks the role that is required to remove others. */
  "workspaces.removeMember": inWorkspace("viewer", { userId: id }, nothing),
  "workspaces.invites.create": inWorkspace("admin", { email, role: role.default("viewer") }, newInvite),
  "workspaces.invites.list": inWorkspace("admin", { ...pageInput }, page(invite)),
  "workspaces.invites.remove": inWorkspace("admin", { inviteId: id }, nothing),
  "workspaces.invites.read": action("public", { token: z.string().min(1).max(200) }, inviteOffer),
  "workspaces.invites.accept": action("user", { token: z.string().min(1).max(200) }, workspace),
  /** Needs no account, because the token is sufficient proof. Repeating it changes nothing. */
  "workspaces.invites.decline": action("public", { token: z.string().min(1).max(200) }, nothing),
  /** The caller's own views and the shared ones, newest first. */
  "workspaces.views.list": inWorkspace("viewer", { page: viewPage.optional(), ...pageInput }, page(savedView)),
  /** Sharing requires the role `editor`. Errors: limit_reached, role_too_low. */
  "workspaces.views.create": inWorkspace(
    "viewer",
    { name: viewName, page: viewPage, query: viewQuery.default(""), shared: z.boolean().default(false) },
    savedView,
  ),
  /**
   * How much of the limits on numbers of resources the workspace uses. It counts documents, so call it only when people
   * look at the numbers.
   */
  "workspaces.usage": inWorkspace("viewer", {}, usage),
  /** A shared view of another member requires the role `admin`. Errors: not_found, role_too_low. */
  "workspaces.views.update": inWorkspace(
    "viewer",
    { id, name: viewName.optional(), query: viewQuery.optional(), shared: z.boolean().optional() },
    savedView,
  ),
  /** A shared view of another member requires the role `admin`. Errors: not_found, role_too_low. */
  "workspaces.views.remove": inWorkspace("viewer", { id }, nothing),
  /** The ids of members: those among these users, those with at least this role, or all members if neither is given. */
  "workspaces.recipients": action(
    "internal",
    {
      workspaceId: id,
      userIds: z.array(id).max(MAX_PAGE).optional(),
      role: role.optional(),
      ...pageInput,
      limit: pageInput.limit.default(MAX_PAGE),
    },
    page(id),
    { reads: true },
  ),
  /** The workspaces of a user, at most 100, the newest first. */
  "workspaces.idsOf": action("internal", { userId: id }, z.object({ ids: z.array(id) }), { reads: true }),
  /** The names of workspaces with other members that a user alone owns. */
  "workspaces.ownedAlone": action("internal", { userId: id }, z.object({ names: z.array(z.string()) }), {
    reads: true,
  }),
  /** Ends the memberships of a deleted user, and deletes the workspaces that have no other member. */
  "workspaces.forgetUser": action("internal", { userId: id }, nothing),
  /** The quotas of a workspace. */
  "workspaces.quotas": action("internal", { workspaceId: id }, quotas, { reads: true }),
  /** Counts a run that is about to start, in the day that the result names. Errors: quota_exceeded. */
  "workspaces.usage.take": action("internal", { workspaceId: id }, z.object({ day: z.string() })),
  "workspaces.usage.giveBack": action("internal", { workspaceId: id, day: z.string() }, nothing),
  /** Notifies the owners that `percent` of a quota is in use. */
  "workspaces.usage.reached": action(
    "internal",
    { workspaceId: id, name: levelName, percent: z.int().min(1).max(100) },
    nothing,
  ),
  /** Adds usage that has already happened. */
  "workspaces.usage.add": action(
    "internal",
    {
      used: z
        .array(
          z.object({
            workspaceId: id,
            executions: amount.optional(),
            steps: amount.optional(),
            modelTokens: amount.optional(),
            ownModelTokens: amount.optional(),
          }),
        )
        .max(200),
    },
    nothing,
  ),
  /**
   * A user's role in a workspace, and the id of the membership. The role is null for non-members and for deleted
   * workspaces.
   */
  "workspaces.roleOf": action(
    "internal",
    { workspaceId: id, userId: id },
    z.object({
      role: role.nullable(),
      memberId: id.optional(),
      /** True if people need a session with a second factor. */
      demandsFactor: z.boolean().optional(),
    }),
    { reads: true },
  ),
};
