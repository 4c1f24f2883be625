import { AsyncLocalStorage } from "node:async_hooks";
import type { Trace } from "./tracing-port.ts";

/**
 * The request, workspace and execution for which work is done. It is part of each log line, and sent with outgoing
 * calls.
 */
export interface Scope {
  requestId?: string | undefined;
  workspaceId?: string | undefined;
  executionId?: string | undefined;
  action?: string | undefined;
  /** The current span, if traces are recorded. */
  trace?: Trace | undefined;
}

const scopes = new AsyncLocalStorage<Scope>();

export const currentScope = (): Scope | undefined => scopes.getStore();

/** Runs `act`, and everything that it starts, in `scope`. */
export const withScope = <T>(scope: Scope, act: () => T): T => scopes.run(scope, act);

/** Runs `act` outside any scope, even if a request triggered it. For work that is shared, or that continues forever. */
export const outsideScope = <T>(act: () => T): T => scopes.exit(act);
