import { z } from "zod";
import { action, inWorkspace } from "../define-action.ts";
import { credential, credentialTest, credentialType, credentialTypeDescription } from "../entities/credential.ts";
import { usedByName } from "../entities/limits-used.ts";
import { credentialHosts } from "../credentials/hosts.ts";
import { CREDENTIAL_TYPE_NAMES, CREDENTIAL_TYPES } from "../credentials/types.ts";
import { id, name, nothing, page, pageInput } from "../primitives.ts";

const MAX_SPACES = 200;

const spaceIds = z
  .array(id)
  .min(1)
  .max(MAX_SPACES)
  .transform(ids => [...new Set(ids)])
  .nullable()
  .meta({ description: "The spaces whose workflows may use it; null means all." });

/**
 * The type decides which schema applies. The OpenAPI document lists the schemas of all types, and the service checks
 * against the right one.
 */
const data = z.record(z.string(), z.unknown()).meta({
  description: "The fields of the type, as a whole. Stored encrypted and never returned.",
  writeOnly: true,
  // Computed on demand, because only documentation reads it and creating it takes long.
  get anyOf() {
    return CREDENTIAL_TYPE_NAMES.map(type => {
      const schema = z.toJSONSchema(CREDENTIAL_TYPES[type].data, { io: "input" });
      delete schema.$schema;
      return { title: type, ...schema };
    });
  },
});

const hosts = credentialHosts.meta({
  description:
    "The hosts to which it may be sent, such as `api.example.com` or `*.example.com`. Add a port that is not the default of the scheme. Only admins may set `*`.",
});

export const credentialsActions = {
  /** The types of credentials, in the order in which forms offer them. */
  "credentials.types": action("user", {}, z.object({ types: z.array(credentialTypeDescription) }), { apiKeys: true }),
  /** Errors: validation_failed, name_taken, limit_reached, role_too_low for the host `*`. */
  "credentials.create": inWorkspace(
    "editor",
    { name, type: credentialType, hosts: hosts.optional(), spaceIds: spaceIds.default(null), data },
    credential,
  ),
  "credentials.list": inWorkspace("viewer", { type: credentialType.optional(), ...pageInput }, page(credential)),
  "credentials.get": inWorkspace("viewer", { id }, credential),
  /** A change of hosts or type requires `data` as well. Errors: those of create, and conflict. */
  "credentials.update": inWorkspace(
    "editor",
    {
      id,
      name: name.optional(),
      type: credentialType.optional(),
      hosts: hosts.optional(),
      spaceIds: spaceIds.optional(),
      data: data.optional(),
    },
    credential,
  ),
  /** Errors: credential_in_use unless `force` is set. */
  "credentials.remove": inWorkspace(
    "editor",
    { id, force: z.boolean().default(false).meta({ description: "Delete it even if it is in use." }) },
    nothing,
  ),
  /**
   * Begins an authorization in the caller's browser. The callback needs a cookie of that browser. Errors:
   * authorization_refused.
   */
  "credentials.authorize": inWorkspace("editor", { id }, z.object({ authorizeUrl: z.url() })),
  "credentials.test": inWorkspace(
    "editor",
    {
      id,
      url: z
        .string()
        .min(1)
        .max(2_048)
        .optional()
        .meta({ description: "Where to send a signed GET: one of its hosts." }),
    },
    credentialTest,
  ),
  /** Completes an authorization. `token` comes from the browser's cookie. Errors: authorization_refused, conflict. */
  "credentials.callback": action(
    "internal",
    { query: z.string().max(16_384), token: z.string().max(200) },
    z.object({ workspaceId: id, id }),
  ),
  /**
   * Opens a credential, by id or name, for a step of this space. Without a space, the caller acts for the whole
   * workspace and cannot see credentials that are limited to spaces. `sealed` is for `CredentialTransit`, so that no
   * message between nodes and no log can show the secret. `refused` is the id of a token that the called service
   * refused; it is then renewed. Errors: not_found, credential_unreadable, credential_needs_authorization, unavailable.
   */
  "credentials.open": action(
    "internal",
    {
      workspaceId: id,
      spaceId: id.optional(),
      id: id.optional(),
      name: name.optional(),
      refused: z.string().max(100).optional(),
    },
    z.object({ id, sealed: z.string() }),
    { reads: true },
  ),
  /** The credentials with these ids or names, for workflow files and for servers that refer to a credential. */
  "credentials.named": action(
    "internal",
    {
      workspaceId: id,
      ids: z.array(id).max(200).default([]),
      names: z.array(z.string().max(200)).max(200).default([]),
    },
    z.object({
      credentials: z.array(
        z.object({ id, name, type: credentialType, hosts: z.array(z.string()), spaceIds: z.array(id).nullable() }),
      ),
    }),
    { reads: true },
  ),
  /** How much of this service's limits the workspace uses, by name. */
  "credentials.usage": action("internal", { workspaceId: id }, usedByName, { reads: true }),
  "credentials.purge": action("internal", { workspaceId: id }, nothing),
};

/** The purpose with which opened credentials are sealed between nodes. The context is the credential's id. */
export const CREDENTIAL_IN_TRANSIT = "credential in transit";
