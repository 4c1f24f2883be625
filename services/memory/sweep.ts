import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { memories, type MemoryDoc, memoryEvents } from "./model.ts";
import type { MemoryService } from "./service.ts";
import { supersededEvents, supersedeOps } from "./write.ts";

const BATCH = 100;
const DECISION = "finished what was cut off";

async function settle(service: MemoryService, doc: MemoryDoc): Promise<void> {
  const { store } = service;
  const { workspaceId, id, supersedes = [], createdAt, userId: actorId } = doc;
  if (supersedes.length > 0 && !doc.supersededById) {
    await store.write(supersedeOps(service, doc, supersedes));
    const events = store.tenant(memoryEvents, workspaceId);
    const first = await events.get({ memoryId: id, event: "created" });
    const cause = { actorId: first?.actorId ?? actorId, by: first?.by ?? "sweep", sessionId: doc.sessionId ?? null };
    for (const event of supersededEvents(doc, supersedes, first?.decision ?? DECISION, createdAt, cause)) {
      await events.insert(event).catch((error: unknown) => {
        if (!isUniqueConflict(error)) throw error;
      });
    }
  }
  await store.tenant(memories, workspaceId).updateOne({ id }, { $unset: { settleAt: true } });
}

/** Supersedes memories that a node left current when it died between two writes. */
export async function sweepMemories(this: MemoryService, now: Date): Promise<void> {
  const due = { settleAt: { $lte: now } };
  const { items } = await this.store.acrossTenants(memories).find(due, { sort: { settleAt: 1 }, limit: BATCH });
  for (const doc of items) await settle(this, doc);
}
