import { z } from "zod";
import { id, name, timestamp } from "../primitives.ts";
import { CREDENTIAL_TYPE_NAMES } from "../credentials/types.ts";

export const credentialType = z.enum(CREDENTIAL_TYPE_NAMES);

export const CREDENTIAL_STATUSES = ["ready", "needs_authorization", "expired", "error"] as const;

/** A workflow that uses a credential. */
export const credentialUse = z.object({
  workflowId: id,
  spaceId: id,
  name,
  deployed: z.boolean().meta({ description: "The deployed version uses it." }),
});
export type CredentialUse = z.infer<typeof credentialUse>;

/** A credential as everyone may see it. Its data is never returned. */
export const credential = z
  .object({
    id,
    workspaceId: id,
    name,
    type: credentialType,
    hosts: z.array(z.string()).meta({ description: "Where it may be sent. Empty if it is never sent." }),
    spaceIds: z.array(id).nullable().meta({ description: "The spaces whose workflows may use it; null for all." }),
    fields: z.array(z.string()).meta({ description: "The names of the fields that have a value." }),
    status: z.enum(CREDENTIAL_STATUSES),
    lastError: z.string().nullable(),
    lastUsedAt: timestamp.nullable().meta({ description: "Accurate to a minute." }),
    expiresAt: timestamp.nullable().meta({ description: "The end of the access token; it is renewed before." }),
    usedBy: z.array(credentialUse).meta({ description: "The workflows that use it, of which at most 100 are listed." }),
    createdBy: id,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Credential" });
export type Credential = z.infer<typeof credential>;

export const credentialTest = z
  .object({
    ok: z.boolean(),
    message: z.string(),
    status: z.int().nullable(),
    body: z.string().nullable().meta({ description: "The beginning of the answer, without the secrets." }),
  })
  .meta({ id: "CredentialTest" });
