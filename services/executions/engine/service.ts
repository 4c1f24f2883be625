import type { ServiceBroker } from "moleculer";
import type { Expressions } from "../../../adapters/expressions/index.ts";
import type { Sandbox } from "../../../adapters/sandbox/index.ts";
import type { GuardedFetch } from "../../../adapters/net/port.ts";
import { notFound } from "../../../contracts/errors.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import type { Sweeper } from "../../../service-kit/sweeper.ts";
import type { AtOnce } from "../../../service-kit/at-once.ts";
import type { Engine } from "./engine.ts";
import { ExecutionJournal } from "../store/journal.ts";
import type { Watch } from "./watch.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import type { OrphanJournals } from "../upkeep/remove-orphan-journals.ts";
import type { Counting } from "../stats/counting.ts";

/** The follow-ups of executions. FollowUps does them. */
export interface FollowUpWork {
  soon(doc: ExecutionDoc): void;
  finish(doc: ExecutionDoc): Promise<void>;
  announce(executionId: string): void;
  cancelById(workspaceId: string, id: string): Promise<void>;
  stop(): Promise<void>;
}

/** What the actions of this service use. */
export interface ExecutionsService extends WithStore {
  broker: ServiceBroker;
  logger: ServiceBroker["logger"];
  engine: Engine;
  watch: Watch;
  expressions: Expressions;
  net: GuardedFetch;
  counting: Counting;
  orphanJournals: OrphanJournals;
  sandbox: Sandbox;
  followUps: FollowUpWork;
  /** Limits concurrent reads of journals, whose entries may be large. */
  reads: AtOnce;
  /** Set when the metrics are served. */
  queueWatch?: Sweeper;
  /** Launches under way on this node, by the id that their caller chose. */
  launches: Map<string, Promise<{ doc: ExecutionDoc; replayed: boolean }>>;
}

export interface Address {
  workspaceId: string;
  spaceId: string;
  id: string;
}

export async function getExecution(service: WithStore, { workspaceId, spaceId, id }: Address): Promise<ExecutionDoc> {
  const doc = await service.store.tenant(Executions, workspaceId).get({ id, spaceId });
  if (!doc) throw notFound("execution");
  return doc;
}

export const journalOf = (service: WithStore, { workspaceId, id }: { workspaceId: string; id: string }) =>
  new ExecutionJournal(service.store, workspaceId, id);
