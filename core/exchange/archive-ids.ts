import type { ArchiveRecord } from "../../contracts/entities/archive.ts";
import { ID_PATTERN } from "../../contracts/primitives.ts";
import { idsIn, mapReferences } from "./named-references.ts";

/** Maps an id of the archive to an id of the importing workspace. */
export type IdOf = (id: string) => string;

/**
 * Replaces the ids in a definition by ids of the importing workspace. The definition need not be valid. User ids stay,
 * because an archive contains no users.
 */
const definitionWithIds = (definition: unknown, idOf: IdOf): unknown =>
  mapReferences(definition, (kind, value) => (kind !== "user" && ID_PATTERN.test(value) ? idOf(value) : value));

/** The ids of the tools that a definition names. */
export const toolsNamed = (definition: unknown): string[] => [
  ...new Set(idsIn(definition).flatMap(({ kind, value }) => (kind === "tool" ? [value] : []))),
];

const orNull = (id: string | null, idOf: IdOf) => (id === null ? null : idOf(id));

/** Maps the ids of an archive to ids of the importing workspace. */
export interface Ids {
  of: IdOf;
  /** For ids of spaces. The default space of a workspace has the workspace's id. */
  ofSpace: IdOf;
  /** The id of a tool of an imported server. */
  ofTool: (server: { id: string; createdAt: Date }, name: string) => string;
}

/**
 * Replaces all ids in a record by ids of the importing workspace. No id of the archive remains, so a record cannot
 * refer to anything outside the workspace.
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
