import type { Service, ServiceSchema } from "moleculer";
import { embeddingsOf, searchMixin } from "../../service-kit/search.mixin.ts";
import { storeMixin } from "../../service-kit/store.mixin.ts";
import { sweepMixin } from "../../service-kit/sweep.mixin.ts";
import { archive, importRecord } from "./archive.ts";
import { count, forgetUser, purge, remove, restore } from "./change.ts";
import { context } from "./context.ts";
import { create, addStep } from "./create.ts";
import { search, searchStep, searchState } from "./find.ts";
import { ingest, ingestStep } from "./ingest.ts";
import { indexedMemories } from "./indexed-memories.ts";
import { memories, memoryEvents, memoryTurns } from "./model.ts";
import { preview } from "./preview.ts";
import { get, history, list, profile, usage } from "./read.ts";
import type { MemoryService } from "./service.ts";
import { subjects } from "./subjects.ts";
import { sweepMemories } from "./sweep.ts";
import { UserLocks } from "./user-locks.ts";

const memory: ServiceSchema = {
  name: "memory",
  mixins: [sweepMixin(sweepMemories), searchMixin(indexedMemories), storeMixin([memories, memoryEvents, memoryTurns])],
  actions: {
    ingest,
    preview,
    search,
    context,
    profile,
    create,
    list,
    subjects,
    get,
    remove,
    history,
    restore,
    "steps.ingest": ingestStep,
    "steps.add": addStep,
    "steps.search": searchStep,
    searchState,
    count,
    forgetUser,
    purge,
    usage,
    embeddings: embeddingsOf("memory.embeddings"),
    archive,
    takeOver: importRecord,
  },
  started(this: Service & Partial<MemoryService>) {
    this.turns = new UserLocks((this as MemoryService).store);
    return Promise.resolve();
  },
};

export default memory;
