import type { Service, ServiceSchema } from "moleculer";
import { createDocumentReader } from "../../adapters/documents/index.ts";
import { filesMixin } from "../../service-kit/files.mixin.ts";
import { outboxMixin } from "../../service-kit/outbox.mixin.ts";
import { embeddingsOf, searchMixin } from "../../service-kit/search.mixin.ts";
import { throttledWarn } from "../../service-kit/throttled-warn.ts";
import { storeMixin } from "../../service-kit/store.mixin.ts";
import { sweepMixin } from "../../service-kit/sweep.mixin.ts";
import { workspacePublisherMixin } from "../../service-kit/workspace-publisher.ts";
import { startSweeper } from "../../service-kit/sweeper.ts";
import { create, get, list, update, usage } from "./bases.ts";
import { createEntry, getEntry, listEntries } from "./entries.ts";
import { importNotices } from "./imports/notices.ts";
import { ImportWork } from "./imports/work.ts";
import { cancelImport, retryImport } from "./imports/end-imports.ts";
import { createImport, getImport, listImports } from "./imports/imports.ts";
import { indexedPassages } from "./indexed-passages.ts";
import { bases, entries, fileParts, imports, uploads } from "./model.ts";
import { purge, remove, removeEntry, sweepKnowledge } from "./remove.ts";
import { retrieve, search, searchByKeywords } from "./search.ts";
import type { KnowledgeService, Self } from "./service.ts";
import { appendPart, beginUpload, discardUpload } from "./imports/uploads.ts";
import { importRecord } from "./import-record.ts";

const EVERY_MS = 5_000;

interface Importing {
  importWork?: ImportWork;
}

const knowledge: ServiceSchema = {
  name: "knowledge",
  mixins: [
    sweepMixin(sweepKnowledge),
    outboxMixin(importNotices),
    searchMixin(indexedPassages),
    workspacePublisherMixin,
    filesMixin,
    storeMixin([bases, entries, imports, uploads, fileParts]),
  ],
  actions: {
    takeOver: importRecord,
    create,
    list,
    get,
    update,
    remove,
    "entries.create": createEntry,
    "entries.list": listEntries,
    "entries.get": getEntry,
    "entries.remove": removeEntry,
    search,
    searchByKeywords,
    retrieve,
    "imports.create": createImport,
    "imports.list": listImports,
    "imports.get": getImport,
    "imports.cancel": cancelImport,
    "imports.retry": retryImport,
    "uploads.begin": beginUpload,
    "uploads.append": appendPart,
    "uploads.discard": discardUpload,
    purge,
    usage,
    embeddings: embeddingsOf("knowledge.embeddings"),
  },
  created(this: Service & Partial<KnowledgeService>) {
    this.warn = throttledWarn(this.logger);
    // The reader's process starts with the first file.
    this.documents = createDocumentReader();
  },
  started(this: Service & Partial<KnowledgeService> & Importing) {
    const self = this as Self;
    const failed = (error: unknown) => self.warn("Work on knowledge failed; Weft tries again.", error);
    const work = (this.importWork = new ImportWork(self));
    this.importing = startSweeper(() => work.begin(), EVERY_MS, failed);
    return Promise.resolve();
  },
  async stopped(this: Service & Partial<KnowledgeService> & Importing) {
    // Ending the reader's process also ends current reads.
    await Promise.all([this.documents?.close(), this.importing?.stop(), this.importWork?.stop()]);
  },
};

export default knowledge;
