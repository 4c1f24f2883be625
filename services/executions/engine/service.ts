import type { ServiceBroker } from "moleculer";
import type { UsageMeter } from "../../../service-kit/usage-meter.mixin.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import type { ExecutionDoc } from "../store/model.ts";
import type { Engine } from "./engine.ts";
import type { Values } from "../store/values.ts";
import type { FollowerRegistry } from "./follower-registry.ts";

/** Performs the follow-ups of executions. `FollowUps` implements it. */
export interface FollowUpWork {
  soon(doc: ExecutionDoc): void;
  finish(doc: ExecutionDoc): Promise<void>;
  announce(executionId: string): void;
  cancelById(workspaceId: string, id: string, compensate?: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** What the code that creates, cancels and follows up executions needs from the service. */
export interface EngineService extends WithStore {
  broker: ServiceBroker;
  logger: ServiceBroker["logger"];
  engine: Engine;
  values: Values;
  watch: FollowerRegistry;
  followUps: FollowUpWork;
  /** Counts usage. The caller does not wait for it. */
  usage: UsageMeter;
}
