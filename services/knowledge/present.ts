import type { KnowledgeBase, KnowledgeEntry, KnowledgeImport } from "../../contracts/entities/knowledge.ts";
import type { BaseDoc, EntryDoc, ImportDoc } from "./model.ts";

export const presentBase = ({ id, workspaceId, name, description, createdAt, updatedAt }: BaseDoc): KnowledgeBase => ({
  id,
  workspaceId,
  name,
  description,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

export const presentEntry = (doc: EntryDoc): KnowledgeEntry => ({
  id: doc.id,
  knowledgeBaseId: doc.knowledgeBaseId,
  content: doc.content,
  metadata: doc.metadata,
  embeddingStatus: doc.embeddingStatus,
  createdAt: doc.createdAt.toISOString(),
});

export const presentImport = (doc: ImportDoc): KnowledgeImport => ({
  id: doc.id,
  knowledgeBaseId: doc.knowledgeBaseId,
  name: doc.name,
  contentType: doc.contentType,
  status: doc.status,
  entriesTotal: doc.entriesTotal ?? null,
  entriesDone: doc.entriesDone,
  error: doc.error ?? null,
  createdAt: doc.createdAt.toISOString(),
  finishedAt: doc.finishedAt?.toISOString() ?? null,
});
