import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { DroppedTool, McpToolDefinition } from "../../adapters/mcp/port.ts";
import { clip } from "../../core/clip.ts";
import type { ApiOperation } from "../../core/openapi/operation.ts";
import type { ServerDoc } from "./model.ts";
import { definitionText, type ToolDefinition } from "../../core/mcp/definition.ts";

/** The longest definition as JSON. Lists, searches and prompts carry it. */
const MAX_DEFINITION_BYTES = 65_536;
/**
 * The number of definitions that are processed before the event loop gets a turn. A server may send megabytes of them.
 */
export const AT_A_TIME = 10;
/** The most unusable tools that are listed. */
const MAX_DROPPED = 50;
const MAX_NAME = 200;
const MAX_REASON = 300;

/** The tools of an MCP server, or the operations of an API. */
export interface Listing {
  tools: (McpToolDefinition & { operation?: ApiOperation })[];
  /** The tools that cannot be used, each with the reason. */
  dropped: DroppedTool[];
  server: { name: string; version: string };
  protocolVersion: string;
  transport: string | null;
  /** Further facts from the document of an API. */
  api?: Pick<ServerDoc, "serverUrl" | "securitySchemes">;
}

export interface ListedTool extends ToolDefinition {
  hash: string;
  bytes: number;
}

/** The tools of a listing that can be stored, with their hashes, and the unusable tools, each with the reason. */
export async function listedTools(listing: Listing): Promise<{
  tools: ListedTool[];
  dropped: { name: string; reason: string }[];
}> {
  const tools: ListedTool[] = [];
  const dropped = [...listing.dropped];
  for (const [at, listed] of listing.tools.entries()) {
    if (at % AT_A_TIME === 0) await nextTurn();
    const { name, title, description, inputSchema, outputSchema, annotations, operation } = listed;
    const tool: ToolDefinition = {
      ...{ name, title: title ?? null, description, inputSchema },
      ...{ outputSchema: outputSchema ?? null, annotations: annotations ?? null },
      ...(operation && { operation }),
    };
    const text = definitionText(tool);
    const bytes = Buffer.byteLength(text);
    if (bytes <= MAX_DEFINITION_BYTES) {
      tools.push({ ...tool, hash: createHash("sha256").update(text).digest("hex"), bytes });
    } else {
      dropped.push({ name, reason: `its definition is larger than ${MAX_DEFINITION_BYTES} bytes` });
    }
  }
  const shown = dropped.slice(0, MAX_DROPPED);
  return {
    tools,
    dropped: shown.map(({ name, reason }) => ({ name: clip(name, MAX_NAME), reason: clip(reason, MAX_REASON) })),
  };
}
