import type { ArchiveRecord } from "../../../contracts/entities/archive.ts";
import type { CredentialName } from "../../../core/exchange/credential-references.ts";
import type { Reader } from "./reader.ts";
import { workflowRecords } from "./workflow-records.ts";

type Records = AsyncGenerator<ArchiveRecord, void, undefined>;

async function* places(from: Reader): Records {
  for await (const { id, name, description } of from.all("pods.list", {})) yield { kind: "pod", id, name, description };
  const spaces: string[] = [];
  for await (const { id, name, podId = null } of from.all("pods.spaces.list", {})) {
    spaces.push(id);
    yield { kind: "space", id, name, podId };
  }
  const { values: shared } = await from.read("variables.get", {});
  if (Object.keys(shared).length > 0) yield { kind: "variables", spaceId: null, values: shared };
  for (const spaceId of spaces) {
    const { values } = await from.read("variables.ofSpace.get", { spaceId });
    if (Object.keys(values).length > 0) yield { kind: "variables", spaceId, values };
  }
}

async function* bases(from: Reader): Records {
  for await (const { id } of from.all("knowledge.list", {})) {
    const { name, description, createdAt } = await from.read("knowledge.get", { id });
    yield { kind: "knowledgeBase", id, name, description, createdAt };
    for await (const { id: entryId, content, metadata, createdAt } of from.all("knowledge.entries.list", { id })) {
      yield { kind: "knowledgeEntry", id: entryId, knowledgeBaseId: id, content, metadata, createdAt };
    }
  }
}

async function* triggers(from: Reader): Records {
  for await (const one of from.all("schedules.listAll", {})) {
    const { id, spaceId, workflowId, slug, cronExpr, timezone, input } = one;
    yield { kind: "schedule", id, spaceId, workflowId, ...(slug !== undefined && { slug }), cronExpr, timezone, input };
  }
  for await (const one of from.all("webhooks.listAll", {})) {
    const { id, spaceId, workflowId, name, slug, auth, methods, respond, keepRaw } = one;
    const place = { id, spaceId, workflowId, ...(slug !== undefined && { slug }) };
    yield { kind: "webhook", ...place, name, auth, methods, respond, keepRaw };
  }
}

/**
 * The records of a workspace, each after the records that it refers to. Credentials appear with their names and types
 * only.
 */
export async function* recordsOf(from: Reader): Records {
  yield* places(from);
  const credentials = new Map<string, CredentialName>();
  for await (const { id, name, type } of from.all("credentials.list", {})) {
    credentials.set(id, { name, type });
    yield { kind: "credential", name, type };
  }
  for await (const { email, name, role } of from.all("workspaces.members", {})) {
    if (email !== null) yield { kind: "member", email, name, role };
  }
  const servers = new Map<string, string>();
  for await (const { id, name, url, authType, agents, createdAt } of from.all("mcp.list", {})) {
    servers.set(id, createdAt);
    yield { kind: "mcpServer", id, name, url, authType, agents, createdAt };
  }
  for await (const { id, createdAt } of from.all("mcp.apis.list", {})) {
    servers.set(id, createdAt);
    yield await from.read("mcp.apis.archive", { id });
  }
  yield* bases(from);
  yield* workflowRecords(from, credentials, servers);
  yield* triggers(from);
  yield* from.all("memory.archive", {});
}
