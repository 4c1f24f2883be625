import type { Service } from "moleculer";
import type { DocumentReader } from "../../adapters/documents/index.ts";
import { notFound } from "../../contracts/errors.ts";
import type { WithFiles } from "../../service-kit/files.mixin.ts";
import type { WithOutbox } from "../../service-kit/outbox.mixin.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { WithSweep } from "../../service-kit/sweep.mixin.ts";
import type { WithSearch } from "../../service-kit/search.mixin.ts";
import type { Warn } from "../../service-kit/throttled-warn.ts";
import type { Sweeper } from "../../service-kit/sweeper.ts";
import type { WithWorkspacePublisher } from "../../service-kit/workspace-publisher.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type BaseDoc, bases } from "./model.ts";

/** The members of the service that its actions and jobs use. */
export interface KnowledgeService
  extends WithStore, WithFiles, WithSearch, WithSweep, WithOutbox, WithWorkspacePublisher {
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
