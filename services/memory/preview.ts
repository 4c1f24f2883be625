import { mapInSlices } from "../../adapters/time-slices.ts";
import { v7 as uuid } from "uuid";
import { callerOf, handle } from "../../contracts/call.ts";
import type { IngestPreview } from "../../contracts/entities/memory.ts";
import { ensureMemoryRoom } from "./create.ts";
import { draftOf, factsOf, INGEST_MS, type Text } from "./ingest.ts";
import { Judge } from "./judge.ts";
import { memories } from "./model.ts";
import { type Draft, resolve } from "./resolve.ts";
import { checkPlace, type MemoryService } from "./service.ts";
import { vectorsNow } from "./vectors.ts";

/**
 * The most superseded memories in a response, and the characters of each. Together they fit into a message between
 * nodes.
 */
const MAX_SHOWN = 500;
const SHOWN_CHARS = 500;

/** The beginnings of these memories' contents, by id. */
async function contentsOf({ store }: MemoryService, workspaceId: string, ids: readonly string[]) {
  const wanted = ids.slice(0, MAX_SHOWN);
  if (wanted.length === 0) return new Map<string, string>();
  const all = store.tenant(memories, workspaceId);
  const { items } = await all.find({ id: { $in: wanted } }, { limit: wanted.length });
  return new Map(items.map(({ id, content }) => [id, content.slice(0, SHOWN_CHARS)]));
}

async function previewText(service: MemoryService, text: Text): Promise<IngestPreview> {
  const { workspaceId } = text;
  checkPlace(text);
  await ensureMemoryRoom(service, workspaceId, text.userId);
  const { facts, extraction } = await factsOf(service, text);
  const judge = new Judge(service, workspaceId, extraction);
  const contents = facts.map(({ content }) => content);
  // Vectors find similar memories for the model. The rules compare by keys.
  const vectors = judge.asksModel ? await vectorsNow(service, workspaceId, contents) : [];
  const now = new Date();
  const drafts = await mapInSlices(facts, (fact, at): Draft => draftOf(text, fact, at, now, vectors[at]));
  const additions = await resolve(service, workspaceId, text, drafts, judge);
  const replaced = await contentsOf(
    service,
    workspaceId,
    additions.flatMap(({ supersedes }) => supersedes),
  );
  const span = new Map(drafts.map(one => [one.doc.id, one.span]));
  const kept = new Set(additions.map(({ doc }) => doc.id));
  return {
    memories: additions.map(({ doc, decision, supersedes }) => ({
      ...{ content: doc.content, factType: doc.factType, eventDate: doc.eventDate ?? null },
      ...{ confidence: doc.confidence, span: span.get(doc.id)!, decision },
      supersedes: supersedes.flatMap(id => (replaced.has(id) ? [{ id, content: replaced.get(id)! }] : [])),
    })),
    skipped: drafts.filter(({ doc }) => !kept.has(doc.id)).map(({ doc, span }) => ({ content: doc.content, span })),
    extraction: judge.extraction,
  };
}

/** It takes no turn, so other requests may change the compared memories before the text is ingested. */
export const preview = handle<"memory.preview", MemoryService>(
  "memory.preview",
  async function (ctx) {
    const actorId = callerOf(ctx).userId;
    const { userId = actorId, ...text } = ctx.params;
    return previewText(this, { ...text, userId, actorId, sessionId: uuid(), source: "ingested", again: false });
  },
  { timeout: INGEST_MS, outside: true },
);
