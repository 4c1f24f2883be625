import { z } from "zod";
import { id, timestamp } from "../primitives.ts";

/**
 * `unknown`: the call began, and its outcome could not be recorded. `failed`: it was refused for another reason than
 * access rights.
 */
export const auditOutcome = z.enum(["succeeded", "failed", "denied", "unknown"]);
export type AuditOutcome = z.infer<typeof auditOutcome>;

/**
 * The actor. An API key acts in the name of the user who created it. A link belongs to a person without an account:
 * `id` is then the execution that asked, and `userId` is the user who started it.
 */
const auditActor = z.object({
  kind: z.enum(["user", "apiKey", "link"]),
  id,
  userId: id,
  email: z.string().max(320).optional().meta({ description: "The e-mail address of the person whose link was used." }),
});

/**
 * The attempted change, as far as it is known before the call. It contains the names of the changed fields, never their
 * values.
 */
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

/** The outcome of the call. */
export const auditEnd = { outcome: auditOutcome, error: z.string().max(100).nullable() };

export const auditEntry = z
  .object({
    id,
    at: timestamp,
    ...auditedCall,
    ...auditEnd,
    actorName: z.string().optional().meta({ description: "The name of the user behind the actor." }),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof auditEntry>;
