import { z } from "zod";
import { id, name, timestamp } from "../primitives.ts";
import { SERVER_STATUSES } from "./mcp-server.ts";

/** The largest document of an API, in bytes. */
export const MAX_API_DOCUMENT = 5 * 1_048_576;
/** More security schemes than one call uses. */
export const MAX_SCHEMES = 20;

const securityScheme = z.object({
  name: z.string(),
  description: z.string().meta({ description: "A description, such as `API key in the header X-Key`." }),
  credentialTypes: z.array(z.string()).meta({ description: "The types of credentials that it accepts." }),
});

/** An API that Weft calls by its OpenAPI document. */
export const api = z
  .object({
    id,
    workspaceId: id,
    name,
    url: z.string().nullable().meta({ description: "The address of its document. Null if the document was uploaded." }),
    baseUrl: z.string().nullable().meta({ description: "The address to call instead of the one in the document." }),
    serverUrl: z.string().nullable().meta({ description: "The first address in the document." }),
    agents: z.boolean().meta({ description: "Whether agents without `toolIds` may find and use its operations." }),
    credentialId: id.nullable().meta({
      description: "The credential that signs calls for which `credentials` has no entry.",
    }),
    credentials: z.record(z.string(), id).meta({ description: "Credentials by the name of the security scheme." }),
    securitySchemes: z.array(securityScheme),
    status: z.enum(SERVER_STATUSES).meta({ description: "The result of the last sync; `unknown` before the first." }),
    lastError: z.string().nullable().meta({ description: "Why the last sync failed." }),
    lastCheckedAt: timestamp.nullable().meta({ description: "When the last sync ended." }),
    lastSyncedAt: timestamp.nullable().meta({ description: "When the last successful sync ended." }),
    nextSyncAt: timestamp.nullable().meta({ description: "The earliest time of the next automatic sync." }),
    operationCount: z.int().min(0),
    droppedOperations: z
      .array(z.object({ name: z.string(), reason: z.string() }))
      .meta({ description: "Operations that cannot be called. At most 50 are listed." }),
    title: z.string().nullable().meta({ description: "The title in the document." }),
    version: z.string().nullable().meta({ description: "The version in the document." }),
    specification: z.string().nullable().meta({ description: "The format of the document, such as `OpenAPI 3.1.0`." }),
    createdBy: id,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Api" });
export type Api = z.infer<typeof api>;
