import { z } from "zod";
import { action, inWorkspace } from "../define-action.ts";
import { member, slug, workspace } from "../entities/workspace.ts";
import { id, name, nothing, page, pageInput, role } from "../primitives.ts";

export const workspacesActions = {
  "workspaces.create": action("user", { name, slug: slug.optional() }, workspace),
  "workspaces.list": action("user", { ...pageInput }, page(workspace)),
  "workspaces.get": inWorkspace("viewer", {}, workspace),
  "workspaces.update": inWorkspace("admin", { name: name.optional(), slug: slug.optional() }, workspace),
  "workspaces.remove": inWorkspace("owner", {}, nothing),
  "workspaces.members": inWorkspace("viewer", { ...pageInput }, page(member)),
  "workspaces.updateMember": inWorkspace("admin", { userId: id, role }, member),
  /** Any member may remove themselves, so the role that removing others takes is checked by the handler. */
  "workspaces.removeMember": inWorkspace("viewer", { userId: id }, nothing),
  /** The caller's role in a workspace, null for strangers and for workspaces that are gone. */
  "workspaces.roleOf": action("internal", { workspaceId: id, userId: id }, z.object({ role: role.nullable() })),
};
