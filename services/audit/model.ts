import { Schema } from "../../adapters/store/schema.ts";
import { defineCollection } from "../../adapters/store/define-collection.ts";
import { type AuditEntry, auditOutcome } from "../../contracts/entities/audit-entry.ts";
import { timeOfId } from "../../core/id-time.ts";

/** Its id says when it was made. */
export interface AuditDoc extends Omit<AuditEntry, "at" | "actor"> {
  actorKind: AuditEntry["actor"]["kind"];
  actorId: string;
  actorUserId: string;
}

const entry = new Schema({
  actorKind: { type: String, required: true },
  actorId: { type: String, required: true },
  actorUserId: { type: String, required: true },
  action: { type: String, required: true },
  resourceType: { type: String, required: true },
  resourceId: String,
  spaceId: String,
  fields: [String],
  requestId: { type: String, required: true },
  address: { type: String, required: true },
  outcome: { type: String, required: true, enum: auditOutcome.options },
  error: String,
});
entry.index({ workspaceId: 1, _id: -1 });
entry.index({ workspaceId: 1, actorId: 1, _id: -1 });
entry.index({ workspaceId: 1, action: 1, _id: -1 });
entry.index({ workspaceId: 1, resourceType: 1, _id: -1 });
entry.index({ workspaceId: 1, resourceId: 1, _id: -1 });

export const auditEntries = defineCollection<AuditDoc>({ name: "auditEntries", schema: entry, tenant: true });

export const presentEntry = ({ actorKind, actorId, actorUserId, ...doc }: AuditDoc): AuditEntry => ({
  id: doc.id,
  at: timeOfId(doc.id).toISOString(),
  workspaceId: doc.workspaceId,
  actor: { kind: actorKind, id: actorId, userId: actorUserId },
  action: doc.action,
  resourceType: doc.resourceType,
  resourceId: doc.resourceId ?? null,
  spaceId: doc.spaceId ?? null,
  fields: doc.fields,
  outcome: doc.outcome,
  error: doc.error ?? null,
  requestId: doc.requestId,
  address: doc.address,
});
