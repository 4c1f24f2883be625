import { AsyncLocalStorage } from "node:async_hooks";
import type { Trace } from "./tracing-port.ts";

/** On whose behalf something is done: it goes into each log line, and along with what is called. */
export interface Scope {
  requestId?: string | undefined;
  workspaceId?: string | undefined;
  executionId?: string | undefined;
  action?: string | undefined;
  /** The span under way, where traces are recorded. */
  trace?: Trace | undefined;
}

const scopes = new AsyncLocalStorage<Scope>();

export const currentScope = (): Scope | undefined => scopes.getStore();

/** Does something on behalf of `scope`, with all that it begins. */
export const within = <T>(scope: Scope, act: () => T): T => scopes.run(scope, act);

/** Does something that is on nobody's behalf, although it may be somebody who set it off: what is shared, or goes on for ever. */
export const onOwnBehalf = <T>(act: () => T): T => scopes.exit(act);
