import type { Filter } from "../../adapters/store/port.ts";
import { callerOf, handle } from "../../contracts/call.ts";
import { MEMORY_GROUPS, type MemoryGroup, type MemoryProfile } from "../../contracts/entities/memory.ts";
import { notFound } from "../../contracts/errors.ts";
import { boundedPage } from "../../service-kit/bounded-page.ts";
import { CURRENT, memories, type MemoryDoc, memoryEvents, presentEvent, presentMemory } from "./model.ts";
import type { MemoryService, MemoryOwner } from "./service.ts";
import { usedOf } from "../../service-kit/limit.ts";

/** Ids do not sort by creation here, because the ids of a run's memories begin with the run's time. */
const NEWEST_FIRST = { createdAt: -1, id: -1 } as const;
const PER_GROUP = 100;
/** The limit of one group. All groups together are smaller than a message between nodes may be. */
const MAX_GROUP_BYTES = 100_000;

export const get = handle<"memory.get", MemoryService>("memory.get", async function (ctx) {
  const { workspaceId, id } = ctx.params;
  const doc = await this.store.tenant(memories, workspaceId).get({ id });
  if (!doc) throw notFound("memory");
  return presentMemory(doc);
});

/** The memories that existed and were not superseded at that time. It may include some that `wasPaused` filters out. */
const knownAt = (time: Date): Filter<MemoryDoc> => ({
  createdAt: { $lte: time },
  $or: [{ supersededAt: null }, { supersededAt: { $gt: time } }],
});

const wasPaused = ({ pauses = [] }: MemoryDoc, time: Date) =>
  pauses.some(([from, to]) => from <= time.getTime() && time.getTime() < to);

export const list = handle<"memory.list", MemoryService>("memory.list", async function (ctx) {
  const { workspaceId, limit, cursor = null, asOf, superseded, ...wanted } = ctx.params;
  const { userId = callerOf(ctx).userId, scope, threadId, workflowId, factType } = wanted;
  const time = asOf === undefined ? null : new Date(asOf);
  const filter: Filter<MemoryDoc> = {
    userId,
    ...(scope && { scope }),
    ...(threadId && { threadId }),
    ...(workflowId && { workflowId }),
    ...(factType && { factType }),
    ...(time ? knownAt(time) : superseded ? { supersededById: { $ne: null } } : CURRENT),
  };
  const all = this.store.tenant(memories, workspaceId);
  const { items, next } = await boundedPage(
    (max, after) => all.find(filter, { sort: NEWEST_FIRST, limit: max, after }),
    limit,
    cursor,
  );
  if (!time) return { items: items.map(presentMemory), next };
  const known = items.filter(doc => !wasPaused(doc, time));
  // The memory was superseded only after that time.
  return { items: known.map(doc => ({ ...presentMemory(doc), supersededById: null })), next };
});

/** The newest current memories of a group. */
export async function groupDocs(
  { store }: MemoryService,
  workspaceId: string,
  userId: string,
  group: MemoryGroup,
  limit = PER_GROUP,
  { scope, threadId, workflowId }: Partial<Omit<MemoryOwner, "userId">> = {},
): Promise<MemoryDoc[]> {
  const all = store.tenant(memories, workspaceId);
  const within = { ...(scope && { scope }), ...(threadId && { threadId }), ...(workflowId && { workflowId }) };
  const { items } = await all.find({ userId, group, ...CURRENT, ...within }, { sort: NEWEST_FIRST, limit });
  let left = MAX_GROUP_BYTES;
  const fitting = items.findIndex(doc => (left -= doc.bytes) < 0);
  return fitting < 0 ? items : items.slice(0, fitting);
}

export const profile = handle<"memory.profile", MemoryService>("memory.profile", async function (ctx) {
  const { workspaceId, userId = callerOf(ctx).userId } = ctx.params;
  const groups: MemoryGroup[] = [...Object.values(MEMORY_GROUPS), "uncategorized"];
  const found = await Promise.all(
    groups.map(async group => {
      const docs = await groupDocs(this, workspaceId, userId, group);
      return [group, docs.map(presentMemory)] as const;
    }),
  );
  return Object.fromEntries(found) as MemoryProfile;
});

export const history = handle<"memory.history", MemoryService>("memory.history", async function (ctx) {
  const { workspaceId, id: memoryId, limit, cursor: after = null } = ctx.params;
  if (!(await this.store.tenant(memories, workspaceId).get({ id: memoryId }))) throw notFound("memory");
  const events = this.store.tenant(memoryEvents, workspaceId);
  const { items, next } = await events.find({ memoryId }, { sort: { id: -1 }, limit, after });
  return { items: items.map(presentEvent), next };
});

export const usage = handle<"memory.usage", MemoryService>("memory.usage", async function (ctx) {
  const { workspaceId, userId } = ctx.params;
  const all = this.store.tenant(memories, workspaceId);
  return { memories: await usedOf(all), user_memories: await usedOf(all, { userId }) };
});
