import { mapInSlices } from "../../adapters/time-slices.ts";
import type { ParamsOf } from "../../contracts/actions.ts";
import { callerOf, handle } from "../../contracts/call.ts";
import type { Extraction, Ingested, MemorySource } from "../../contracts/entities/memory.ts";
import { AppError } from "../../contracts/errors.ts";
import { timeOfId } from "../../core/id-time.ts";
import type { Fact } from "../../core/memory/fact.ts";
import { derivedId } from "../../service-kit/derived-id.ts";
import { newId } from "../../service-kit/new-id.ts";
import { ensureMemoryRoom } from "./create.ts";
import { extract } from "./extract.ts";
import { Judge } from "./judge.ts";
import { memories, type MemoryDoc, memoryEvents, presentMemory } from "./model.ts";
import { type Draft, resolve } from "./resolve.ts";
import { checkPlace, type MemoryService } from "./service.ts";
import { keysOf, statementOf } from "./statement.ts";
import { vectorsNow } from "./vectors.ts";
import { additionOps, bytesOf, groupOf } from "./write.ts";

/** The most facts that the rules extract from a text. With this many, some may be missing. */
const MAX_FACTS = 500;
const tooMuch = () => {
  const message = `Contains ${MAX_FACTS} facts or more. Send it in parts.`;
  return new AppError("validation_failed", { errors: [{ path: "/content", message }] });
};
/** This includes the wait for a turn and the longest time of a model. */
export const INGEST_MS = 180_000;

export interface Text extends Omit<ParamsOf<"memory.ingest">, "userId"> {
  userId: string;
  actorId: string;
  sessionId: string;
  source: MemorySource;
  /** True if an earlier try may have written memories. */
  again: boolean;
}

async function ofSession({ store }: MemoryService, { workspaceId, sessionId }: Text): Promise<MemoryDoc[]> {
  return (await store.tenant(memories, workspaceId).find({ sessionId }, { limit: MAX_FACTS })).items;
}

/** The result of an earlier try that completed; null if there is none. */
async function answered(service: MemoryService, text: Text): Promise<Ingested | null> {
  const items = await ofSession(service, text);
  const [first] = items;
  if (!first || items.length !== first.sessionSize) return null;
  const event = await service.store
    .tenant(memoryEvents, text.workspaceId)
    .get({ memoryId: first.id, event: "created" });
  const extraction = { by: event?.by ?? "", fallback: event?.fallback ?? null };
  return answer(text.sessionId, items, extraction);
}

function answer(sessionId: string, docs: readonly MemoryDoc[], extraction: Extraction): Ingested {
  return {
    memoriesCreated: docs.length,
    memoriesUpdated: docs.reduce((sum, doc) => sum + (doc.supersedes?.length ?? 0), 0),
    sessionId,
    memories: docs.map(presentMemory),
    extraction,
  };
}

/**
 * The facts of a text.
 * @throws {AppError} validation_failed when the text has too many
 */
export async function factsOf(service: MemoryService, text: Text) {
  const extracted = await extract(service, text, new Date());
  if (extracted.facts.length >= MAX_FACTS) throw tooMuch();
  return extracted;
}

export function draftOf(text: Text, fact: Fact, at: number, now: Date, vector: Draft["vector"]): Draft {
  const { workspaceId, userId, scope, threadId, workflowId, sessionId, source } = text;
  const place = { userId, scope, threadId, workflowId };
  const { content, factType, eventDate, confidence, slots, span } = fact;
  const said = { content, slots, eventDate };
  const doc: MemoryDoc = {
    id: derivedId(new Date(timeOfId(sessionId).getTime() + at), `${sessionId} ${at}`),
    workspaceId,
    ...place,
    ...said,
    source,
    factType,
    group: groupOf(factType),
    confidence,
    metadata: {},
    ...keysOf(place, said),
    statement: statementOf(place, said),
    sessionId,
    embeddingStatus: vector ? "ready" : "pending",
    createdAt: now,
    updatedAt: now,
    bytes: bytesOf({ content, metadata: {}, threadId }),
  };
  return { doc, span: { ...span, text: text.content.slice(span.start, span.end).slice(0, 1_000) }, vector };
}

async function ingestText(service: MemoryService, text: Text): Promise<Ingested> {
  const { workspaceId, userId, sessionId, actorId, again } = text;
  checkPlace(text);
  await ensureMemoryRoom(service, workspaceId, userId);
  const before = again ? await answered(service, text) : null;
  if (before) return before;
  const { facts, extraction } = await factsOf(service, text);
  const vectors = await vectorsNow(
    service,
    workspaceId,
    facts.map(({ content }) => content),
  );
  return service.turns.take(workspaceId, userId, async fence => {
    const earlier = again ? await answered(service, text) : null;
    if (earlier) return earlier;
    const now = new Date();
    const drafts = await mapInSlices(facts, (fact, at) => draftOf(text, fact, at, now, vectors[at]));
    const judge = new Judge(service, workspaceId, extraction);
    const additions = await resolve(service, workspaceId, text, drafts, judge);
    const kept = again ? await ofSession(service, text) : [];
    const held = new Set(kept.map(({ id }) => id));
    const made = additions.filter(({ doc }) => !held.has(doc.id));
    const sessionSize = kept.length + made.length;
    const cause = { actorId, ...judge.extraction, sessionId };
    const docs = service.store.tenant(memories, workspaceId);
    if (made.length > 0) {
      const ops = await mapInSlices(made, addition => additionOps(service, addition, cause));
      await service.store.write([
        fence(),
        ...ops.flat(),
        // Written last, so that an interrupted try is not mistaken for a completed one.
        docs.ops.updateMany({ sessionId }, { $set: { sessionSize } }),
      ]);
      if (made.some(({ vector }) => !vector)) service.embeddings.soon();
    }
    const created = [...kept, ...made.map(({ doc, supersedes }) => ({ ...doc, supersedes: [...supersedes] }))];
    return answer(sessionId, created, judge.extraction);
  });
}

export const ingest = handle<"memory.ingest", MemoryService>(
  "memory.ingest",
  async function (ctx) {
    const actorId = callerOf(ctx).userId;
    const { userId = actorId, ...text } = ctx.params;
    const again = ctx.locals.newId !== undefined;
    return ingestText(this, { ...text, userId, actorId, sessionId: newId(ctx), source: "ingested", again });
  },
  { timeout: INGEST_MS, outside: true },
);

export const ingestStep = handle<"memory.steps.ingest", MemoryService>(
  "memory.steps.ingest",
  async function (ctx) {
    const { actorId = ctx.params.userId } = ctx.params;
    return ingestText(this, { ...ctx.params, actorId, source: "workflow", again: true });
  },
  { timeout: INGEST_MS, outside: true },
);
