import type { ServiceBroker } from "moleculer";
import type { Expressions } from "../../../adapters/expressions/index.ts";
import type { GuardedFetch } from "../../../adapters/net/guarded-fetch.ts";
import type { Store } from "../../../adapters/store/port.ts";
import type { Watch } from "./watch.ts";

/** What the parts of the engine share. */
export interface EngineParts {
  workerId: string;
  store: Store;
  broker: ServiceBroker;
  logger: ServiceBroker["logger"];
  /** For what fails and is tried again until it does not. */
  warn: (message: string, error: unknown) => void;
  expressions: Expressions;
  fetch: GuardedFetch["fetch"];
  watch: Watch;
  /** Steps are no longer begun. */
  isStopping(): boolean;
}

export interface EngineLimits {
  /** Executions that this worker holds at a time. */
  concurrency: number;
  /** Executions of one workspace that run at a time, on all workers. */
  perWorkspace: number;
  leaseMs: number;
}
