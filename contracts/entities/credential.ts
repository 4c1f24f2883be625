import { z } from "zod";
import { id, name, timestamp } from "../primitives.ts";
import { CREDENTIAL_TYPE_NAMES } from "../credentials/types.ts";

export const credentialType = z.enum(CREDENTIAL_TYPE_NAMES);

export const CREDENTIAL_STATUSES = ["ready", "needs_authorization", "expired", "error"] as const;

export const CREDENTIAL_USE_KINDS = ["workflow", "webhook", "mcp_server", "api"] as const;

/** Something that uses a credential. */
export const credentialUse = z.object({
  kind: z.enum(CREDENTIAL_USE_KINDS),
  id: id.meta({ description: "The id of the workflow, webhook or MCP server." }),
  name,
  spaceId: id.nullable().meta({ description: "Null for an MCP server, which belongs to the whole workspace." }),
  workflowId: id.nullable().meta({ description: "The workflow, also of a webhook; null for an MCP server." }),
  deployed: z.boolean().meta({
    description: "Whether it is in use now: by the deployed version of a workflow, by a webhook or by an MCP server.",
  }),
});
export type CredentialUse = z.infer<typeof credentialUse>;

/** The response of a service about the uses of some credentials. `key` identifies the credential. */
export const usesOfCredentials = z.object({ uses: z.array(credentialUse.extend({ key: z.string() })) });

/** A credential without its data, which is never returned. */
export const credential = z
  .object({
    id,
    workspaceId: id,
    name,
    type: credentialType,
    hosts: z.array(z.string()).meta({ description: "Where it may be sent. Empty if it is never sent." }),
    spaceIds: z.array(id).nullable().meta({ description: "The spaces whose workflows may use it; null means all." }),
    fields: z.array(z.string()).meta({ description: "The names of the fields that have a value." }),
    status: z.enum(CREDENTIAL_STATUSES).meta({
      description:
        "`needs_authorization`: a person has to authorize it; `expired`: its token has expired, and cannot be renewed; `error`: the " +
        "authorization server refuses it.",
    }),
    lastError: z.string().nullable(),
    lastUsedAt: timestamp.nullable().meta({ description: "Accurate to a minute." }),
    expiresAt: timestamp.nullable().meta({
      description:
        "The end of the access token, or of a bearer token that is a JWT. Null if it is not known, or if the next use obtains a new token.",
    }),
    usedBy: z.array(credentialUse).meta({ description: "Where it is used. At most 100 uses are listed." }),
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

export const credentialTypeDescription = z
  .object({
    type: credentialType,
    summary: z.string(),
    hosts: z.enum(["given", "none", "own"]).meta({
      description:
        "`given`: a credential needs `hosts`. `own`: they are in its data, unless `hosts` names more. `none`: it is never sent.",
    }),
    use: z.enum(["calls", "connections", "expressions", "webhooks"]).meta({
      description:
        "`calls`: `http` steps sign calls with it. `connections`: other steps connect with it. `expressions`: they name its " +
        "fields. `webhooks`: it checks signatures.",
    }),
    tokens: z.enum(["client", "code", "assertion"]).nullable().meta({
      description: "How it obtains access tokens. For `code`, a person has to authorize it. Null if it obtains none.",
    }),
    dataSchema: z
      .record(z.string(), z.unknown())
      .meta({ description: "The JSON Schema of `data`. The format `password` marks secret fields." }),
  })
  .meta({ id: "CredentialType" });
export type CredentialTypeDescription = z.infer<typeof credentialTypeDescription>;
