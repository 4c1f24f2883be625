import { handle } from "../../contracts/call.ts";
import type { Archived } from "../../contracts/entities/archive.ts";
import { insertRecordOnce, missingInArchive } from "../../service-kit/archive.ts";
import { ensureLimit } from "../../service-kit/limit.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { addEntry, ensureEntryRoom } from "./add-entry.ts";
import { bases, entries } from "./model.ts";
import type { Self } from "./service.ts";

async function takeBase({ store }: Self, workspaceId: string, record: Archived<"knowledgeBase">) {
  const { id, name, description, createdAt } = record;
  const all = store.tenant(bases, workspaceId);
  if (await all.get({ id, ...ALIVE })) return { made: false };
  await ensureLimit("knowledge_bases", workspaceId, all, { ...ALIVE });
  const base = { id, workspaceId, name, description, createdAt: new Date(createdAt), updatedAt: new Date() };
  const made = await insertRecordOnce(
    () => all.insert(base),
    () => all.get({ id, ...ALIVE }),
  );
  return { made };
}

async function takeEntry(self: Self, workspaceId: string, record: Archived<"knowledgeEntry">) {
  const { id, knowledgeBaseId, content, metadata, createdAt } = record;
  const known = () => self.store.tenant(bases, workspaceId).get({ id: knowledgeBaseId, ...ALIVE });
  if (!(await known())) throw missingInArchive("knowledge base");
  if (await self.store.tenant(entries, workspaceId).get({ id, knowledgeBaseId })) return { made: false };
  await ensureEntryRoom(self, workspaceId, knowledgeBaseId);
  await addEntry(self, { id, workspaceId, knowledgeBaseId, content, metadata, createdAt: new Date(createdAt) });
  // If the base was deleted meanwhile, its second purge, which runs after this check, removes the entry.
  if (!(await known())) throw missingInArchive("knowledge base");
  self.embeddings.soon();
  return { made: true };
}

export const importRecord = handle<"knowledge.takeOver", Self>("knowledge.takeOver", function (ctx) {
  const { workspaceId, record } = ctx.params;
  return record.kind === "knowledgeBase" ? takeBase(this, workspaceId, record) : takeEntry(this, workspaceId, record);
});
