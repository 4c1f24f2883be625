import type { ActionSchema, Context } from "moleculer";
import type { ActionName, InputOf, OutputOf, ParamsOf } from "./actions.ts";
import type { Identity, UserIdentity } from "./entities/user.ts";
import { AppError } from "./errors.ts";
import type { EventName, EventOf } from "./events.ts";
import type { Role } from "./primitives.ts";
import { READS } from "./reads.ts";
import type { RequestLocals } from "./request.ts";

/** What travels with a call. A remote action's writes come back, so only the gateway writes here. */
export interface Meta {
  identity?: Identity;
  /** Goes back to the gateway: the answer is one that was given before. Written by middlewares/idempotency.ts alone. */
  replayed?: boolean;
  /** Goes back to the gateway: not all that was asked could be looked up. Written by the actions that search. */
  degraded?: boolean;
  /**
   * What a call of a tool is told of and ended by (see mcp.tools.invoke), or one of the language model ended. Only the gateway's
   * `/mcp` names one, and a step that asks the model.
   */
  callId?: string;
}

/** What the access middleware found out for the action that runs. */
export interface Locals {
  role?: Role;
  memberId?: string;
}

export type ActionContext<N extends ActionName> = Context<ParamsOf<N>, Meta, Locals & RequestLocals>;

/** Who calls. Every action but public and internal ones has passed the access check, so there is somebody. */
export function callerOf(ctx: { meta: Meta }): Identity {
  if (!ctx.meta.identity) throw new AppError("unauthenticated");
  return ctx.meta.identity;
}

/** The signed-in user who calls, where an API key has no business. */
export function userOf(ctx: { meta: Meta }): UserIdentity {
  const caller = callerOf(ctx);
  if (caller.kind !== "user") throw new AppError("api_key_not_allowed");
  return caller;
}

/** The caller's role in the workspace that the action is about. */
export function roleOf(ctx: { locals: Locals }): Role {
  if (!ctx.locals.role) throw new AppError("unauthenticated");
  return ctx.locals.role;
}

/** The membership by which the caller is in the workspace; an API key has that of its creator. */
export function membershipOf(ctx: { locals: Locals }): string {
  if (!ctx.locals.memberId) throw new AppError("unauthenticated");
  return ctx.locals.memberId;
}

interface CallOptions {
  timeout?: number;
  meta?: Meta;
}

interface Caller {
  call(name: string, params: unknown, options?: CallOptions): Promise<unknown>;
}

/** Calls an action by its contract, from a context (identity travels along) or from the broker (none does, unless `meta` has one). */
export function call<N extends ActionName>(
  from: Caller | { call: unknown },
  name: N,
  params: InputOf<N>,
  options?: CallOptions,
): Promise<OutputOf<N>> {
  return (from as Caller).call(name, params, options) as Promise<OutputOf<N>>;
}

interface Sender {
  emit(name: string, data: unknown): unknown;
  broadcast(name: string, data: unknown, options?: { groups: string[] }): unknown;
}

/**
 * Sends a hint to one node of each service that listens, to all nodes that have such a service, or to these nodes, by their
 * ids, where the services listen as `onThisNode`.
 */
export function hint<N extends EventName>(
  broker: Sender,
  to: "one" | "all" | string[],
  name: N,
  data: EventOf<N>,
): void {
  if (to === "one") broker.emit(name, data);
  else if (to === "all") broker.broadcast(name, data);
  else if (to.length > 0) broker.broadcast(name, data, { groups: to });
}

export interface ActionOptions {
  /** Milliseconds; without it, the broker's. */
  timeout?: number;
  /** It waits for somebody else's server, or does what a user wants: that it takes long says nothing of its node. */
  outside?: boolean;
}

/** An action of a service, typed by its contract; `this` is the service. */
export function handle<N extends ActionName, Self = unknown>(
  name: N,
  handler: (this: Self, ctx: ActionContext<N>) => Promise<OutputOf<N>>,
  { outside = false, ...options }: ActionOptions = {},
): ActionSchema {
  return {
    ...options,
    ...(outside && { circuitBreaker: { enabled: false } }),
    ...(READS.has(name) && { retryPolicy: { enabled: true } }),
    handler,
  } as ActionSchema;
}
