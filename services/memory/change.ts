import { inSlices } from "../../adapters/time-slices.ts";
import { callerOf, handle } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { decisionSteps } from "../../core/memory/decide.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import { isNotMatched, isUniqueConflict } from "../../adapters/store/errors.ts";
import { candidateOf, candidatesFor } from "./candidates.ts";
import { memories, memoryEvents, memoryTurns, presentMemory } from "./model.ts";
import type { MemoryService } from "./service.ts";
import { statementOf } from "./statement.ts";
import { entryOf, indexOf, restoredEvent, supersededEvents, supersedeOps } from "./write.ts";

const known = () => new AppError("conflict", { detail: "Another memory already states this." });
const DECISION = "another that it contradicts was restored";

/** Makes a superseded memory current again. Memories that it contradicts by the rules are superseded in turn. */
export const restore = handle<"memory.restore", MemoryService>("memory.restore", async function (ctx) {
  const { workspaceId, id } = ctx.params;
  const docs = this.store.tenant(memories, workspaceId);
  const first = await docs.get({ id });
  if (!first) throw notFound("memory");
  return this.turns.take(workspaceId, first.userId, async fence => {
    const doc = await docs.get({ id });
    if (!doc) throw notFound("memory");
    if (!doc.supersededById) throw new AppError("memory_current");
    const [rivals = []] = await candidatesFor(this, workspaceId, doc, [{ said: doc }]);
    const { content, slots = null, eventDate = null } = doc;
    const decision = await inSlices(decisionSteps({ content, slots, eventDate }, rivals.map(candidateOf)));
    if (decision.kind === "same") throw known();
    const replaced = decision.kind === "supersede" ? decision.ids : [];
    const now = new Date();
    const cause = { actorId: callerOf(ctx).userId, by: "manual" };
    const since = doc.supersededAt?.getTime() ?? now.getTime();
    const pauses = [...(doc.pauses ?? []), [since, now.getTime()] as const];
    const statement = doc.sessionId ? { statement: statementOf(doc, doc) } : {};
    const events = [
      restoredEvent(doc, replaced[0] ?? null, now, cause),
      ...supersededEvents(doc, replaced, DECISION, now, cause),
    ];
    const { supersededById } = doc;
    try {
      await this.store.write([
        fence(),
        docs.ops.updateOne(
          { id, supersededById },
          {
            $set: { pauses, ...statement, embeddingStatus: "pending", updatedAt: now },
            $unset: { supersededById: true, supersededAt: true },
          },
          { required: true },
        ),
        ...supersedeOps(this, doc, replaced, now),
        ...events.map(event => this.store.tenant(memoryEvents, workspaceId).ops.insert(event)),
        ...indexOf(this, workspaceId).ops.put(entryOf(doc)),
      ]);
    } catch (error) {
      throw isUniqueConflict(error) ? known() : error;
    }
    this.embeddings.soon();
    const restored = await docs.get({ id });
    if (!restored) throw notFound("memory");
    return presentMemory(restored);
  });
});

export const remove = handle<"memory.remove", MemoryService>("memory.remove", async function (ctx) {
  const { workspaceId, id } = ctx.params;
  const docs = this.store.tenant(memories, workspaceId);
  const there = docs.ops.updateOne({ id }, { $set: { updatedAt: new Date() } }, { required: true });
  try {
    await this.store.write([
      there,
      docs.ops.remove({ id }),
      ...indexOf(this, workspaceId).ops.remove(id),
      this.store.tenant(memoryEvents, workspaceId).ops.remove({ memoryId: id }),
    ]);
  } catch (error) {
    throw isNotMatched(error) ? notFound("memory") : error;
  }
  return null;
});

export const count = handle<"memory.count", MemoryService>("memory.count", async function (ctx) {
  return { memories: await this.store.tenant(memories, ctx.params.workspaceId).count({}) };
});

const FORGOTTEN = 200;

/** Each memory is removed together with its index entry, so a repeated call finds what an interrupted one left. */
export const forgetUser = handle<"memory.forgetUser", MemoryService>("memory.forgetUser", async function (ctx) {
  const { workspaceId, userId } = ctx.params;
  const docs = this.store.tenant(memories, workspaceId);
  const events = this.store.tenant(memoryEvents, workspaceId);
  for (let some = true; some;) {
    const { items } = await docs.find({ userId }, { sort: { createdAt: -1 }, limit: FORGOTTEN });
    for (const { id } of items) {
      await this.store.write([
        events.ops.remove({ memoryId: id }),
        ...indexOf(this, workspaceId).ops.remove(id),
        docs.ops.remove({ id }),
      ]);
    }
    some = items.length === FORGOTTEN;
  }
  await removeAll(this.store.tenant(memoryTurns, workspaceId), { userId });
  return null;
});

export const purge = handle<"memory.purge", MemoryService>("memory.purge", async function (ctx) {
  const { workspaceId } = ctx.params;
  await removeAll(this.store.tenant(memories, workspaceId), {});
  await removeAll(this.store.tenant(memoryEvents, workspaceId), {});
  await removeAll(this.store.tenant(memoryTurns, workspaceId), {});
  await indexOf(this, workspaceId).removeAll();
  return null;
});
