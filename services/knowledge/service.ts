import type { Service } from "moleculer";
import type { DocumentReader } from "../../adapters/documents/index.ts";
import { notFound } from "../../contracts/errors.ts";
import type { WithOutbox } from "../../mixins/outbox.mixin.ts";
import type { WithStore } from "../../mixins/store.mixin.ts";
import type { WithSweep } from "../../mixins/sweep.mixin.ts";
import type { WithSearch } from "../../mixins/search.mixin.ts";
import type { Warn } from "../../mixins/throttled-warn.ts";
import type { Sweeper } from "../../mixins/sweeper.ts";
import { ALIVE } from "../../mixins/tombstone.ts";
import { type BaseDoc, bases } from "./model.ts";

/** What the actions and the jobs of this service use. */
export interface KnowledgeService extends WithStore, WithSearch, WithSweep, WithOutbox {
  documents: DocumentReader;
  /** Turns files into entries. */
  importing: Sweeper;
  /** Throttled warnings for repeated failures. */
  warn: Warn;
}

export type Self = Service & KnowledgeService;

/** @throws {AppError} not_found when there is no such base */
export async function aliveBase({ store }: WithStore, workspaceId: string, id: string): Promise<BaseDoc> {
  const base = await store.tenant(bases, workspaceId).get({ id, ...ALIVE });
  if (!base) throw notFound("knowledge base");
  return base;
}
