import { type Archived, MAX_HISTORY } from "../../contracts/entities/archive.ts";
import { handle } from "../../contracts/call.ts";
import { insertRecordOnce } from "../../service-kit/archive.ts";
import { boundedPage } from "../../service-kit/bounded-page.ts";
import { derivedId } from "../../service-kit/derived-id.ts";
import { ensureMemoryRoom, slotsIn } from "./create.ts";
import { memories, type MemoryDoc, memoryEvents, type MemoryEventDoc } from "./model.ts";
import { checkPlace, type MemoryService, ownerFields } from "./service.ts";
import { keysOf } from "./statement.ts";
import { bytesOf, entryOf, groupOf, indexOf } from "./write.ts";

const isoOf = (ms: number) => new Date(ms).toISOString();
const iso = (date: Date | null | undefined) => date?.toISOString() ?? null;

type History = Archived<"memory">["history"];

async function historyOf({ store }: MemoryService, { workspaceId, id }: MemoryDoc): Promise<History> {
  const all = store.tenant(memoryEvents, workspaceId);
  const { items } = await all.find({ memoryId: id }, { sort: { id: -1 }, limit: MAX_HISTORY });
  return items.reverse().map(({ event, at, by, fallback, decision, otherId, sessionId, span }) => ({
    ...{ event, at: at.toISOString(), by, fallback: fallback ?? null, decision: decision ?? null },
    ...{ otherId: otherId ?? null, sessionId: sessionId ?? null, span: span ?? null },
  }));
}

function recordOf(doc: MemoryDoc, history: History): Archived<"memory"> {
  const { id, userId, scope, content, source, factType, confidence, metadata, pauses = [] } = doc;
  return {
    ...{ kind: "memory", id, userId, scope, threadId: doc.threadId ?? null, workflowId: doc.workflowId ?? null },
    ...{ content, source, factType, eventDate: doc.eventDate ?? null, confidence, metadata },
    ...{ supersededById: doc.supersededById ?? null, supersededAt: iso(doc.supersededAt) },
    pauses: pauses.slice(-MAX_HISTORY).map(([from, to]) => ({ from: isoOf(from), to: isoOf(to) })),
    ...{ createdAt: doc.createdAt.toISOString(), updatedAt: doc.updatedAt.toISOString(), history },
  };
}

export const archive = handle<"memory.archive", MemoryService>("memory.archive", async function (ctx) {
  const { workspaceId, limit, cursor = null } = ctx.params;
  const all = this.store.tenant(memories, workspaceId);
  const page = await boundedPage((max, after) => all.find({}, { sort: { id: 1 }, limit: max, after }), limit, cursor);
  const items = [];
  for (const doc of page.items) items.push(recordOf(doc, await historyOf(this, doc)));
  return { items, next: page.next };
});

/** The rules read the content again, because an archive does not contain the slots of a statement. */
async function documentOf(workspaceId: string, record: Archived<"memory">): Promise<MemoryDoc> {
  const { id, userId, scope, threadId, workflowId, content, source, factType, eventDate, confidence } = record;
  const { metadata, supersededById, supersededAt, pauses, createdAt, updatedAt } = record;
  const place = ownerFields({ userId, scope, threadId, workflowId });
  const fields = { id, ...place, content, source, factType, eventDate, confidence, metadata, supersededById };
  const made = new Date(createdAt);
  const slots = await slotsIn(fields.content, made);
  return {
    ...fields,
    ...{ workspaceId, group: groupOf(fields.factType), slots, ...keysOf(fields, { ...fields, slots }) },
    supersededAt: supersededAt === null ? null : new Date(supersededAt),
    ...(pauses.length > 0 && { pauses: pauses.map(({ from, to }) => [Date.parse(from), Date.parse(to)] as const) }),
    ...{ embeddingStatus: "pending", createdAt: made, updatedAt: new Date(updatedAt), bytes: bytesOf(fields) },
  };
}

/** Imports a memory with its history. The importing user replaces the original authors. */
export const importRecord = handle<"memory.takeOver", MemoryService>("memory.takeOver", async function (ctx) {
  const { workspaceId, userId: actorId, record } = ctx.params;
  checkPlace(record);
  const all = this.store.tenant(memories, workspaceId);
  if (await all.get({ id: record.id })) return { made: false };
  await ensureMemoryRoom(this, workspaceId, record.userId);
  const doc = await documentOf(workspaceId, record);
  const events = this.store.tenant(memoryEvents, workspaceId);
  const { id: memoryId } = doc;
  for (const [place, { at, ...event }] of record.history.entries()) {
    const time = new Date(at);
    const one: MemoryEventDoc = {
      ...{ id: derivedId(time, `${memoryId} ${place}`), workspaceId, memoryId, at: time, actorId },
      ...event,
    };
    await insertRecordOnce(
      () => events.insert(one),
      () => events.get({ id: one.id }),
    );
  }
  // The memory is written last, so it is never visible without its history.
  const current = doc.supersededById === null;
  const made = await insertRecordOnce(
    () => this.store.write([all.ops.insert(doc), ...(current ? indexOf(this, workspaceId).ops.put(entryOf(doc)) : [])]),
    () => all.get({ id: memoryId }),
  );
  this.embeddings.soon();
  return { made };
});
