import { z } from "zod";
import { id, timestamp } from "../primitives.ts";

/**
 * `unknown`: it was begun, and nobody could write down how it ended; `failed`: it was refused for another reason than rights.
 */
export const auditOutcome = z.enum(["succeeded", "failed", "denied", "unknown"]);
export type AuditOutcome = z.infer<typeof auditOutcome>;

/** Who acted. An API key acts in the name of the user who made it. */
const auditActor = z.object({ kind: z.enum(["user", "apiKey"]), id, userId: id });

/** What was done, or tried, as far as it is known before it is done. Never what a field was set to: only its name. */
export const auditedCall = {
  workspaceId: id,
  actor: auditActor,
  action: z.string().max(100),
  resourceType: z.string().max(100),
  resourceId: id.nullable(),
  spaceId: id.nullable(),
  fields: z.array(z.string().max(100)).max(100),
  requestId: z.string().max(128),
  address: z.string().max(100),
};

/** How it ended. */
export const auditEnd = { outcome: auditOutcome, error: z.string().max(100).nullable() };

export const auditEntry = z.object({ id, at: timestamp, ...auditedCall, ...auditEnd }).meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof auditEntry>;
