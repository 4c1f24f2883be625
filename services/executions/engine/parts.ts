import type { ServiceBroker } from "moleculer";
import type { Expressions } from "../../../adapters/expressions/index.ts";
import type { GuardedConnect } from "../../../adapters/net/guarded-connect.ts";
import type { GuardedFetch } from "../../../adapters/net/port.ts";
import type { Sandbox } from "../../../adapters/sandbox/index.ts";
import type { Spreadsheets } from "../../../adapters/spreadsheets/index.ts";
import type { SqlPools } from "../../../adapters/sql/pools.ts";
import type { Store } from "../../../adapters/store/port.ts";
import type { ExecutionDoc } from "../store/model.ts";
import type { Credentials } from "./credentials.ts";
import type { WorkflowCache } from "./workflow-cache.ts";
import type { EngineObserver } from "./observer.ts";
import type { SignalMatching } from "../store/match-signals.ts";
import type { QueueOrder } from "../store/queue-order.ts";
import type { Values } from "../store/values.ts";
import type { StreamedAnswers } from "./streamed-answers.ts";
import type { OpenToolCalls } from "./tool-calls.ts";
import type { FollowerRegistry } from "./follower-registry.ts";

/** The dependencies that the parts of the engine share. */
export interface EngineParts {
  workerId: string;
  store: Store;
  broker: ServiceBroker;
  logger: ServiceBroker["logger"];
  /** Logs a failure that is retried until it succeeds. */
  warn: (message: string, error: unknown) => void;
  expressions: Expressions;
  stream: GuardedFetch["stream"];
  connect: GuardedConnect;
  databases: Pick<SqlPools, "run">;
  sandbox: Sandbox;
  spreadsheets: Pick<Spreadsheets, "read" | "write">;
  toolCalls: OpenToolCalls;
  modelWords: StreamedAnswers;
  credentials: Credentials;
  values: Values;
  watch: FollowerRegistry;
  queue: QueueOrder;
  definitions: WorkflowCache;
  /** The key that signs the resume URLs of steps. */
  hashKey: string;
  /** Matches signals with the steps that wait for them. */
  matching: Omit<SignalMatching, "announce">;
  /** Reports that an execution, or a child of it, waits to be claimed. */
  queued(executionId: string): void;
  observer: EngineObserver;
  /**
   * Cancels an execution whose result is no longer needed, unless it has ended. With `compensate` it undoes its steps
   * first.
   */
  cancel(workspaceId: string, executionId: string, compensate?: boolean): Promise<void>;
  /** Does the follow-ups of an execution that was suspended or has ended. */
  followUp(doc: ExecutionDoc): void;
  /** Whether the worker is stopping. It then begins no more steps. */
  isStopping(): boolean;
}

/** The parts that the engine does not create itself. */
export type GivenParts = Omit<
  EngineParts,
  "isStopping" | "warn" | "queue" | "queued" | "toolCalls" | "modelWords" | "credentials" | "matching" | "definitions"
>;

export interface EngineLimits {
  /** The most executions that this worker holds at the same time. */
  concurrency: number;
  /** The most executions of one workspace that run at the same time, on all workers together. */
  perWorkspace: number;
  leaseMs: number;
}
