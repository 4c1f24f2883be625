import { callerOf, handle } from "../../contracts/call.ts";
import type { ParamsOf } from "../../contracts/actions.ts";
import { MAX_METADATA_CHARS, type Memory, type MemorySource } from "../../contracts/entities/memory.ts";
import { AppError } from "../../contracts/errors.ts";
import type { Fact, Slots } from "../../core/memory/fact.ts";
import { ensureLimit } from "../../service-kit/limit.ts";
import { ensureQuota } from "../../service-kit/quota-level.ts";
import { newId } from "../../service-kit/new-id.ts";
import { insertOnce } from "../../service-kit/insert-once.ts";
import { memories, type MemoryDoc, presentMemory } from "./model.ts";
import { readText } from "./read-text.ts";
import { checkPlace, type MemoryService } from "./service.ts";
import { keysOf } from "./statement.ts";
import { additionOps, bytesOf, groupOf } from "./write.ts";

/** @throws {AppError} limit_reached when the user has too many memories */
export async function ensureMemoryRoom(service: MemoryService, workspaceId: string, userId: string): Promise<void> {
  const all = service.store.tenant(memories, workspaceId);
  await ensureLimit("user_memories", `${workspaceId} ${userId}`, all, { userId });
  await ensureQuota(service, "memories", workspaceId, all);
}

/** The slots of a statement, if the rules read exactly one fact in it. */
export async function slotsIn(content: string, now: Date): Promise<Slots | null> {
  const found: Fact[] = [];
  for await (const facts of readText(content, now)) {
    found.push(...facts);
    if (found.length > 1) return null;
  }
  return found[0]?.slots ?? null;
}

interface Statement extends Omit<ParamsOf<"memory.create">, "userId"> {
  id: string;
  userId: string;
  actorId: string;
  source: MemorySource;
}

/** Stores one memory word for word: no facts are extracted, and nothing is superseded. */
async function remember(service: MemoryService, statement: Statement): Promise<Memory> {
  const { id, workspaceId, actorId, metadata, ...fields } = statement;
  checkPlace(fields);
  if (JSON.stringify(metadata).length > MAX_METADATA_CHARS) {
    const errors = [{ path: "/metadata", message: `Must have at most ${MAX_METADATA_CHARS} characters as JSON` }];
    throw new AppError("validation_failed", { errors });
  }
  await ensureMemoryRoom(service, workspaceId, fields.userId);
  const now = new Date();
  const slots = await slotsIn(fields.content, now);
  const doc: MemoryDoc = {
    id,
    workspaceId,
    ...fields,
    group: groupOf(fields.factType),
    metadata,
    slots,
    ...keysOf(fields, { ...fields, slots }),
    embeddingStatus: "pending",
    createdAt: now,
    updatedAt: now,
    bytes: bytesOf({ ...fields, metadata }),
  };
  const cause = { actorId, by: fields.source };
  const former = await insertOnce(
    () => service.store.write(additionOps(service, { doc, supersedes: [], decision: "as it was written" }, cause)),
    () => service.store.tenant(memories, workspaceId).get({ id }),
  );
  if (former) return presentMemory(former);
  service.embeddings.soon();
  return presentMemory(doc);
}

export const create = handle<"memory.create", MemoryService>("memory.create", async function (ctx) {
  const actorId = callerOf(ctx).userId;
  const { userId = actorId, ...fields } = ctx.params;
  return remember(this, { ...fields, id: newId(ctx), userId, actorId, source: "manual" });
});

export const addStep = handle<"memory.steps.add", MemoryService>("memory.steps.add", async function (ctx) {
  const { sessionId: id, actorId = ctx.params.userId, ...fields } = ctx.params;
  return remember(this, { ...fields, id, actorId, source: "workflow" });
});
