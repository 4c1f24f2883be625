import type { ServiceBroker } from "moleculer";
import type { Expressions } from "../../../adapters/expressions/index.ts";
import type { GuardedFetch } from "../../../adapters/net/port.ts";
import type { Sandbox } from "../../../adapters/sandbox/index.ts";
import type { Store } from "../../../adapters/store/port.ts";
import type { ExecutionDoc } from "../model.ts";
import type { EngineObserver } from "./observer.ts";
import type { QueueOrder } from "./queue-order.ts";
import type { ToolCalls } from "./tool-calls.ts";
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
  sandbox: Sandbox;
  toolCalls: ToolCalls;
  watch: Watch;
  queue: QueueOrder;
  /** Something that this execution called for waits to be claimed. */
  queued(executionId: string): void;
  observer: EngineObserver;
  /** Ends an execution that is no longer waited for, if it has not ended by itself. */
  cancel(workspaceId: string, executionId: string): Promise<void>;
  /** Does what an execution that was suspended, or has ended, leaves to be done elsewhere. */
  followUp(doc: ExecutionDoc): void;
  /** Steps are no longer begun. */
  isStopping(): boolean;
}

/** Those that the engine does not make itself. */
export type GivenParts = Omit<EngineParts, "isStopping" | "warn" | "queue" | "queued" | "toolCalls">;

export interface EngineLimits {
  /** Executions that this worker holds at a time. */
  concurrency: number;
  /** Executions of one workspace that run at a time, on all workers. */
  perWorkspace: number;
  leaseMs: number;
}
