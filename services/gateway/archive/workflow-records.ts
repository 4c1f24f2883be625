import type { Archived, ArchiveRecord } from "../../../contracts/entities/archive.ts";
import type { McpTool } from "../../../contracts/entities/mcp-server.ts";
import { toolsNamed } from "../../../core/exchange/archive-ids.ts";
import { type CredentialName, withCredentialNames } from "../../../core/exchange/credential-references.ts";
import type { Reader } from "./reader.ts";

type Records = AsyncGenerator<ArchiveRecord, void, undefined>;
type Named = NonNullable<Archived<"workflowVersion">["tools"]>;

/** More tools than a runnable definition may name. */
const MAX_TOOLS = 200;

/** Finds the server and the name of each tool in definitions. */
function toolFinder(from: Reader, servers: ReadonlyMap<string, string>) {
  const known = new Map<string, McpTool | undefined>();
  return async (definition: unknown): Promise<Named> => {
    const named: Named = [];
    for (const id of toolsNamed(definition).slice(0, MAX_TOOLS)) {
      if (!known.has(id)) known.set(id, (await from.read("mcp.tools.describe", { toolIds: [id] })).tools[0]);
      const tool = known.get(id);
      const serverCreatedAt = tool && servers.get(tool.mcpServerId);
      if (tool && serverCreatedAt) named.push({ id, name: tool.name, serverId: tool.mcpServerId, serverCreatedAt });
    }
    return named;
  };
}

/**
 * The workflows, each after its versions. `credentials` contains the names of the credentials by id, `servers` the
 * times at which the tool servers were created.
 */
export async function* workflowRecords(
  from: Reader,
  credentials: ReadonlyMap<string, CredentialName>,
  servers: ReadonlyMap<string, string>,
): Records {
  const toolsOf = toolFinder(from, servers);
  for (const trashed of [false, true]) {
    for await (const workflow of from.all("workflows.listAll", { trashed, sort: "-createdAt" })) {
      const { id, spaceId, slug, version: newest, createdAt, updatedAt } = workflow;
      for await (const one of from.all("workflows.versions", { spaceId, id })) {
        const { version, name, description, message } = one;
        // A version that was created after the workflow was listed is skipped.
        if (version > newest) continue;
        const definition = withCredentialNames(one.definition, credentials);
        const tools = await toolsOf(one.definition);
        const content = { name, description, definition, message, ...(tools.length > 0 && { tools }) };
        yield { kind: "workflowVersion", workflowId: id, spaceId, version, ...content, createdAt: one.createdAt };
      }
      const { status, starred, deployedVersion, deployedAt } = workflow;
      const state = {
        ...(slug !== undefined && { slug }),
        status,
        starred,
        version: newest,
        deployedVersion,
        deployedAt,
      };
      yield { kind: "workflow", id, spaceId, ...state, createdAt, updatedAt };
    }
  }
}
