import type { TenantIndex, Vector } from "../../adapters/search/port.ts";
import type { WriteOp } from "../../adapters/store/port.ts";
import { MEMORY_GROUPS, type MemoryGroup } from "../../contracts/entities/memory.ts";
import { derivedId } from "../../service-kit/derived-id.ts";
import { CURRENT, memories, type MemoryDoc, type MemoryEventDoc, memoryEvents } from "./model.ts";
import type { MemoryService } from "./service.ts";

/** The size of a memory in a response, without its texts. */
const FRAME_BYTES = 600;
/** A write that has not completed after this time was interrupted. */
const SETTLE_MS = 60_000;

/** The actor and the reason of a change. */
export interface ChangeCause {
  actorId: string;
  by: string;
  fallback?: string | null;
  sessionId?: string | null;
}

export interface Addition {
  doc: MemoryDoc;
  /** The ids of the memories that it supersedes. */
  supersedes: readonly string[];
  decision: string;
  span?: MemoryEventDoc["span"];
  vector?: Vector | undefined;
}

export const groupOf = (factType: string): MemoryGroup =>
  Object.hasOwn(MEMORY_GROUPS, factType) ? MEMORY_GROUPS[factType as keyof typeof MEMORY_GROUPS] : "uncategorized";

export const bytesOf = (doc: Pick<MemoryDoc, "content" | "metadata" | "threadId">): number =>
  FRAME_BYTES + Buffer.byteLength(`${doc.content}${doc.threadId ?? ""}${JSON.stringify(doc.metadata)}`);

export const indexOf = ({ search }: MemoryService, workspaceId: string): TenantIndex =>
  search.tenant("memory", workspaceId);

/** The index entry of a current memory. Superseded memories are not indexed. */
export function entryOf({ id, content, userId, scope, threadId, workflowId }: MemoryDoc, vector?: Vector) {
  const payload = { userId, scope, ...(threadId && { threadId }), ...(workflowId && { workflowId }) };
  return { id, text: content, payload, ...(vector && { vector }) };
}

/** The event of a change. Its id is derived from the change, so that repeated writes add no second event. */
function eventOf(fields: Omit<MemoryEventDoc, "id">): MemoryEventDoc {
  const { memoryId, event, otherId = "", at } = fields;
  const same = event === "restored" ? at.toISOString() : otherId;
  return { id: derivedId(at, `${memoryId} ${event} ${same}`), ...fields };
}

/** Supersedes these memories. Those that are no longer current stay as they are. */
export function supersedeOps(
  service: MemoryService,
  { workspaceId, id: by, createdAt }: Pick<MemoryDoc, "workspaceId" | "id" | "createdAt">,
  ids: readonly string[],
  now = createdAt,
): WriteOp[] {
  const docs = service.store.tenant(memories, workspaceId);
  const index = indexOf(service, workspaceId);
  const change = {
    $set: { supersededById: by, supersededAt: now, updatedAt: now },
    $unset: { statement: true },
  } as const;
  return ids.flatMap(id => [docs.ops.updateOne({ id, ...CURRENT }, change), ...index.ops.remove(id)]);
}

export const supersededEvents = (
  { workspaceId, id: otherId }: Pick<MemoryDoc, "workspaceId" | "id">,
  ids: readonly string[],
  decision: string,
  at: Date,
  cause: ChangeCause,
): MemoryEventDoc[] =>
  ids.map(memoryId => eventOf({ workspaceId, memoryId, event: "superseded", at, decision, otherId, ...cause }));

/**
 * Adds a memory, supersedes the memories that it replaces, and records both. On MongoDB, the list may be interrupted
 * anywhere. So the new memory is written first, and it names the memories to supersede until that is done. The sweep
 * completes interrupted lists.
 */
export function additionOps(service: MemoryService, addition: Addition, cause: ChangeCause): WriteOp[] {
  const { doc, supersedes, decision, span = null, vector } = addition;
  const { workspaceId, createdAt: at, id: memoryId } = doc;
  const docs = service.store.tenant(memories, workspaceId);
  const events = service.store.tenant(memoryEvents, workspaceId);
  const unsettled = { supersedes: [...supersedes], settleAt: new Date(at.getTime() + SETTLE_MS) };
  const [otherId = null] = supersedes;
  const created = eventOf({ workspaceId, memoryId, event: "created", at, decision, otherId, span, ...cause });
  const lost = supersededEvents(doc, supersedes, decision, at, cause);
  return [
    docs.ops.insert({ ...doc, ...(supersedes.length > 0 && unsettled) }),
    ...supersedeOps(service, doc, supersedes),
    ...[created, ...lost].map(event => events.ops.insert(event)),
    ...indexOf(service, workspaceId).ops.put(entryOf(doc, vector)),
    ...(supersedes.length > 0 ? [docs.ops.updateOne({ id: memoryId }, { $unset: { settleAt: true } })] : []),
  ];
}

export function restoredEvent(doc: MemoryDoc, otherId: string | null, at: Date, cause: ChangeCause): MemoryEventDoc {
  const { workspaceId, id: memoryId } = doc;
  return eventOf({ workspaceId, memoryId, event: "restored", at, otherId, ...cause });
}
