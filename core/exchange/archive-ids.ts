import type { ArchiveRecord } from "../../contracts/entities/archive.ts";
import { ID_PATTERN } from "../../contracts/primitives.ts";
import { isObject, type JsonObject } from "../json.ts";

/** The id in the workspace that imports, for an id of the archive. */
export type IdOf = (id: string) => string;

const ONE = ["workflowId", "knowledgeBaseId", "toolId"] as const;
const SEVERAL = ["toolIds", "knowledgeBaseIds", "approve"] as const;

const changed = (value: unknown, idOf: IdOf): unknown =>
  typeof value === "string" && ID_PATTERN.test(value) ? idOf(value) : value;

/** The fields of a node's data that name something of the workspace. All others stay as they are. */
function dataOf(data: JsonObject, idOf: IdOf): JsonObject {
  const next = { ...data };
  for (const field of ONE) if (field in next) next[field] = changed(next[field], idOf);
  for (const field of SEVERAL) {
    const ids = next[field];
    if (Array.isArray(ids)) next[field] = ids.map(id => changed(id, idOf));
  }
  const { memory } = next;
  if (isObject(memory) && "workflowId" in memory) {
    next.memory = { ...memory, workflowId: changed(memory.workflowId, idOf) };
  }
  return next;
}

/** A definition, which need not be valid, with the ids of the workspace that imports it. */
export function definitionWithIds(definition: unknown, idOf: IdOf): unknown {
  if (!isObject(definition)) return definition;
  const { nodes, settings } = definition;
  return {
    ...definition,
    ...(Array.isArray(nodes) && {
      nodes: nodes.map((node: unknown) =>
        isObject(node) && isObject(node.data) ? { ...node, data: dataOf(node.data, idOf) } : node,
      ),
    }),
    ...(isObject(settings) &&
      "errorWorkflowId" in settings && {
        settings: { ...settings, errorWorkflowId: changed(settings.errorWorkflowId, idOf) },
      }),
  };
}

/** The ids of the tools that a definition names. */
export function toolsNamed(definition: unknown): string[] {
  const ids = new Set<string>();
  const nodes = isObject(definition) && Array.isArray(definition.nodes) ? (definition.nodes as unknown[]) : [];
  for (const node of nodes) {
    if (!isObject(node) || !isObject(node.data)) continue;
    const { toolId, toolIds, approve } = node.data;
    const named: unknown[] = [toolId, toolIds, approve];
    for (const id of named.flat()) {
      if (typeof id === "string" && ID_PATTERN.test(id)) ids.add(id);
    }
  }
  return [...ids];
}

const orNull = (id: string | null, idOf: IdOf) => (id === null ? null : idOf(id));

/** How the ids of an archive become those of the workspace that imports it. */
export interface Ids {
  of: IdOf;
  /** For ids of spaces: the default space of a workspace has the id of the workspace. */
  ofSpace: IdOf;
  /** The id of a tool of an imported server. */
  ofTool: (server: { id: string; createdAt: Date }, name: string) => string;
}

/**
 * A record with the ids of the workspace that imports it. No id of the archive remains, so a record cannot name anything
 * outside of the workspace.
 */
export function withIds(record: ArchiveRecord, { of: idOf, ofSpace, ofTool }: Ids): ArchiveRecord {
  switch (record.kind) {
    case "pod":
    case "mcpServer":
    case "api":
    case "knowledgeBase":
      return { ...record, id: idOf(record.id) };
    case "space":
      return { ...record, id: ofSpace(record.id), podId: orNull(record.podId, idOf) };
    case "variables":
      return { ...record, spaceId: orNull(record.spaceId, ofSpace) };
    case "credential":
    case "member":
      return record;
    case "knowledgeEntry":
      return { ...record, id: idOf(record.id), knowledgeBaseId: idOf(record.knowledgeBaseId) };
    case "workflowVersion": {
      const tools = new Map(
        record.tools?.map(({ id, serverId, serverCreatedAt, name }) => [
          id,
          ofTool({ id: idOf(serverId), createdAt: new Date(serverCreatedAt) }, name),
        ]),
      );
      const definition = definitionWithIds(record.definition, id => tools.get(id) ?? idOf(id));
      return { ...record, workflowId: idOf(record.workflowId), spaceId: ofSpace(record.spaceId), definition };
    }
    case "workflow":
      return { ...record, id: idOf(record.id), spaceId: ofSpace(record.spaceId) };
    case "schedule":
    case "webhook":
      return {
        ...record,
        ...{ id: idOf(record.id), spaceId: ofSpace(record.spaceId), workflowId: idOf(record.workflowId) },
      };
    case "memory":
      return {
        ...record,
        ...{ id: idOf(record.id), workflowId: orNull(record.workflowId, idOf) },
        supersededById: orNull(record.supersededById, idOf),
        history: record.history.map(event => ({
          ...event,
          ...{ otherId: orNull(event.otherId, idOf), sessionId: orNull(event.sessionId, idOf) },
        })),
      };
  }
}
