import { McpError } from "../../adapters/mcp/mcp-error.ts";
import { ApiDocumentError } from "../../adapters/openapi/index.ts";
import { OutboundError } from "../../adapters/net/outbound-error.ts";
import { MAX_API_DOCUMENT } from "../../contracts/entities/api.ts";
import { maskerOf } from "../../core/credentials/mask.ts";
import { openSigner } from "./api-credentials.ts";
import type { Listing } from "./listed-tools.ts";
import { apiDocuments, type ServerDoc } from "./model.ts";
import type { Self } from "./service.ts";

/** Codes of failures that are not caused by the document. */
const OURS: ReadonlySet<string> = new Set(["outbound_aborted", "outbound_busy"]);

/** A document that cannot be fetched or read. The message is written for users. */
export class ListingError extends Error {
  override name = "ListingError";
}

interface Limits {
  timeoutMs: number;
  signal: AbortSignal;
}

async function download(self: Self, { workspaceId, url, credentialId }: ServerDoc, limits: Limits): Promise<string> {
  const signer = credentialId ? await openSigner(self, workspaceId, [credentialId]) : undefined;
  const mask = maskerOf(signer?.secrets ?? []);
  try {
    const { status, body } = await self.apis.net.fetch({
      ...{ url, ...limits, maxBytes: MAX_API_DOCUMENT },
      headers: { accept: "application/json, application/yaml, text/yaml, */*;q=0.5" },
      // The document of a private API is often public. So if the credential may not be sent there, the document is read
      // without it.
      sign: signer && (hop => signer.sign(hop).catch(() => ({ url: hop.url, headers: hop.headers }))),
    });
    if (status !== 200) throw new ListingError(`The address of the document answers ${status}.`);
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch (error) {
    if (error instanceof TypeError) throw new ListingError("The document is not text in UTF-8.");
    if (!(error instanceof OutboundError)) throw error;
    if (OURS.has(error.code)) throw new McpError("mcp_aborted", error.message, error);
    throw new ListingError(mask(error.message));
  }
}

/**
 * Reads the document of an API.
 * @throws {ListingError} when it cannot be fetched or read
 * @throws {McpError} when this node, and not the document, is the cause
 */
export async function listApi(self: Self, server: ServerDoc, limits: Limits): Promise<Listing> {
  const { id, workspaceId, url } = server;
  const uploaded = url === "" ? await self.store.tenant(apiDocuments, workspaceId).get({ id }) : null;
  if (url === "" && !uploaded) throw new ListingError("The document is lost. Upload it again.");
  const text = uploaded?.text ?? (await download(self, server, limits));
  const reader = await self.apis.reader();
  try {
    const read = await reader.read({ text, documentUrl: url || null }, workspaceId, limits.signal);
    return {
      ...{ tools: read.tools, dropped: read.dropped, transport: null, protocolVersion: read.specification },
      server: { name: read.title, version: read.version },
      api: { serverUrl: read.server, securitySchemes: read.securitySchemes },
    };
  } catch (error) {
    if (!(error instanceof ApiDocumentError)) throw error;
    if (error.passing) throw new McpError("mcp_busy", error.message, error);
    throw new ListingError(error.message);
  }
}
