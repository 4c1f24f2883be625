import { z } from "zod";
import { id, name, timestamp } from "../primitives.ts";
import { MAX_SCHEMES } from "./api.ts";
import { serverUrl } from "./mcp-server.ts";

/** The longest compressed document of an API, in characters of base64. A longer document has to be uploaded again. */
export const MAX_ARCHIVED_DOCUMENT = 500_000;
/** An import binds the API to the credential with this name and type, if there is one. */
const credentialName = z.object({ name, type: z.string().max(100) });
export const archivedApi = z.object({
  kind: z.literal("api"),
  id,
  name,
  /** Null if the document was uploaded. */
  url: serverUrl.nullable(),
  /** The uploaded document, compressed with gzip. */
  document: z.base64().max(MAX_ARCHIVED_DOCUMENT).nullable(),
  baseUrl: serverUrl.nullable(),
  agents: z.boolean(),
  credential: credentialName.nullable(),
  /** Keyed by the name of the security scheme. */
  credentials: z
    .record(z.string().min(1).max(100), credentialName)
    .refine(value => Object.keys(value).length <= MAX_SCHEMES, `Must have at most ${MAX_SCHEMES} entries`),
  createdAt: timestamp,
});
export type ArchivedApi = z.infer<typeof archivedApi>;
