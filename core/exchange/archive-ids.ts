import type { ArchiveRecord } from "../../contracts/entities/archive.ts";
import { ID_PATTERN } from "../../contracts/primitives.ts";
import { idsIn, mapReferences } from "./named-references.ts";

/** The id in the workspace that imports, for an id of the archive. */
export type IdOf = (id: string) => string;

/**
 * A definition, which need not be valid, with the ids of the workspace that imports it. An archive contains no users, so
 * their ids stay.
 */
const definitionWithIds = (definition: unknown, idOf: IdOf): unknown =>
  mapReferences(definition, (kind, value) => (kind !== "user" && ID_PATTERN.test(value) ? idOf(value) : value));

/** The ids of the tools that a definition names. */
export const toolsNamed = (definition: unknown): string[] => [
  ...new Set(idsIn(definition).flatMap(({ kind, value }) => (kind === "tool" ? [value] : []))),
];

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
