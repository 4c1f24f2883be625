import { z } from "zod";
import { action, inWorkspace } from "../define-action.ts";
import { auditedCall, auditEnd, auditEntry } from "../entities/audit-entry.ts";
import { id, moment, nothing, page, pageInput } from "../primitives.ts";

const word = z.string().min(1).max(100);

export const auditActions = {
  /** Newest first. The range includes `from` and excludes `to`. */
  "audit.list": inWorkspace(
    "admin",
    {
      actorId: id.optional(),
      action: word.optional(),
      resourceType: word.optional(),
      resourceId: id.optional(),
      from: moment.optional(),
      to: moment.optional(),
      ...pageInput,
    },
    page(auditEntry),
  ),
  "audit.record": action("internal", { ...auditedCall, ...auditEnd }, z.object({ id })),
  /** Records the outcome of a call that was stored as `unknown`. An entry can be changed once. */
  "audit.conclude": action("internal", { workspaceId: id, id, resourceId: id.nullable(), ...auditEnd }, nothing),
  "audit.purge": action("internal", { workspaceId: id }, nothing),
};
