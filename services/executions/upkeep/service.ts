import type { Expressions } from "../../../adapters/expressions/index.ts";
import type { GuardedFetch } from "../../../adapters/net/port.ts";
import type { Sandbox } from "../../../adapters/sandbox/index.ts";
import type { Spreadsheets } from "../../../adapters/spreadsheets/index.ts";
import type { SqlPools } from "../../../adapters/sql/pools.ts";
import type { ConcurrencyLimit } from "../../../service-kit/concurrency-limit.ts";
import type { Sweeper } from "../../../service-kit/sweeper.ts";
import type { RemoteEnds } from "../engine/remote-ends.ts";
import type { EngineService } from "../engine/service.ts";
import type { FinishedRunCounter } from "../stats/finished-run-counter.ts";
import type { DurationFilling } from "./fill-durations.ts";
import type { Outlines } from "../store/outlines.ts";
import type { ExecutionDoc } from "../store/model.ts";
import type { OrphanJournals } from "./remove-orphan-journals.ts";

/** The state that the actions of this service use. */
export interface ExecutionsService extends EngineService {
  expressions: Expressions;
  net: GuardedFetch;
  /** The key that signs the resume URLs of steps. */
  hashKey: string;
  counting: FinishedRunCounter;
  durations: DurationFilling;
  orphanJournals: OrphanJournals;
  outlines: Outlines;
  endsElsewhere: RemoteEnds;
  sandbox: Sandbox;
  spreadsheets: Spreadsheets;
  databases: SqlPools;
  /** Limits concurrent reads of journals, whose entries may be large. */
  reads: ConcurrencyLimit;
  /** Works on bulk jobs. */
  bulk: Sweeper;
  /** Set when the metrics are served. */
  queueWatch?: Sweeper;
  /** Current launches on this node, by the id that their caller chose. */
  launches: Map<string, Promise<{ doc: ExecutionDoc; replayed: boolean }>>;
  /** Current creations of runs with keys on this node. Each resolves with the new run, or null if none was created. */
  keyed: Map<string, Promise<ExecutionDoc | null>>;
}
