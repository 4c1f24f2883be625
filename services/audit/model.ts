import { defineCollection } from "../../adapters/store/define-collection.ts";
import { nullable, oneOf, optional, string, strings } from "../../adapters/store/field-types.ts";
import { type AuditEntry, auditEntry, auditOutcome } from "../../contracts/entities/audit-entry.ts";
import { timeOfId } from "../../core/id-time.ts";
import { presenter } from "../../service-kit/present.ts";

/** The id of an entry contains the time at which it was made. */
export const auditEntries = defineCollection({
  name: "auditEntries",
  tenant: true,
  fields: {
    actorKind: string<AuditEntry["actor"]["kind"]>(),
    actorId: string(),
    actorUserId: string(),
    actorEmail: optional(string()),
    action: string(),
    resourceType: string(),
    resourceId: nullable(string()),
    spaceId: nullable(string()),
    fields: strings(),
    requestId: string(),
    address: string(),
    outcome: oneOf(auditOutcome.options),
    error: nullable(string()),
  },
  indexes: [
    [{ workspaceId: 1, _id: -1 }],
    [{ workspaceId: 1, actorId: 1, _id: -1 }],
    [{ workspaceId: 1, action: 1, _id: -1 }],
    [{ workspaceId: 1, resourceType: 1, _id: -1 }],
    [{ workspaceId: 1, resourceId: 1, _id: -1 }],
  ],
});

export const presentEntry = presenter(auditEntry, auditEntries, doc => ({
  at: timeOfId(doc.id).toISOString(),
  actor: {
    kind: doc.actorKind,
    id: doc.actorId,
    userId: doc.actorUserId,
    ...(doc.actorEmail && { email: doc.actorEmail }),
  },
}));
