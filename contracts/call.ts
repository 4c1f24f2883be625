import type { ActionSchema, Context } from "moleculer";
import { type ActionName, type InputOf, type OutputOf, type ParamsOf, ACTIONS } from "./actions.ts";
import type { Identity, UserIdentity } from "./entities/user.ts";
import { AppError } from "./errors.ts";
import type { EventName, EventOf } from "./events.ts";
import type { Role } from "./primitives.ts";
import type { RequestLocals } from "./request.ts";
import type { ActionContract } from "./define-action.ts";
import { ROUTES } from "./routes.ts";

const contracts = Object.entries(ACTIONS) as [ActionName, ActionContract][];

/** Actions that change nothing. If a node dies and its response is lost, they can safely be called again. */
export const READS: ReadonlySet<string> = new Set([
  ...ROUTES.filter(({ method }) => method === "GET").map(({ action }) => action),
  ...contracts.filter(([, { reads }]) => reads).map(([name]) => name),
]);

/**
 * The metadata of a call. What a remote action writes here returns to its caller, so only the gateway may write, except
 * for the marked fields.
 */
export interface Meta {
  identity?: Identity;
  /** Returned to the gateway: true if the response is a stored one. Only middlewares/idempotency.ts writes it. */
  replayed?: boolean;
  /**
   * Returned to the gateway: true if nothing was created, and the result existed before. Only actions of routes with
   * `found` write it.
   */
  found?: boolean;
  /** Returned to the gateway: true if part of the search was unavailable. The actions that search write it. */
  degraded?: boolean;
  /**
   * Returned to the gateway: the web page's session, to set its cookie, or null to remove the cookie. Only the actions
   * `identity.browser.*` write it.
   */
  session?: { token: string; expiresAt: Date | string } | null;
  /**
   * Returned to the gateway: the token of an authorization, which the browser has to keep. Only `credentials.authorize`
   * writes it.
   */
  authorization?: { token: string; seconds: number };
  /**
   * Identifies a tool call, for its progress and cancellation (see mcp.tools.invoke), or a call of the language model,
   * for its cancellation. Only the gateway's `/mcp` and steps that call the model set it.
   */
  callId?: string;
}

/** What the access middleware determines about the caller, for the action that runs. */
export interface Locals {
  role?: Role;
  memberId?: string;
  /** The result of the action's `EarlyRead` read, which runs during the access check. */
  alongside?: Promise<unknown>;
}

export type ActionContext<N extends ActionName> = Context<ParamsOf<N>, Meta, Locals & RequestLocals>;

/** The caller. Every action except public and internal ones has passed the access check, so the caller is known. */
export function callerOf(ctx: { meta: Meta }): Identity {
  if (!ctx.meta.identity) throw new AppError("unauthenticated");
  return ctx.meta.identity;
}

/** The signed-in user who calls. For actions that API keys may not call. */
export function userOf(ctx: { meta: Meta }): UserIdentity {
  const caller = callerOf(ctx);
  if (caller.kind !== "user") throw new AppError("api_key_not_allowed");
  return caller;
}

/** The caller's role in the action's workspace. */
export function roleOf(ctx: { locals: Locals }): Role {
  if (!ctx.locals.role) throw new AppError("unauthenticated");
  return ctx.locals.role;
}

/** The caller's membership in the workspace. An API key has the membership of its creator. */
export function membershipOf(ctx: { locals: Locals }): string {
  if (!ctx.locals.memberId) throw new AppError("unauthenticated");
  return ctx.locals.memberId;
}

interface CallOptions {
  timeout?: number;
  /** Calls the action on this node only. */
  nodeID?: string;
  meta?: Meta;
}

interface Caller {
  call(name: string, params: unknown, options?: CallOptions): Promise<unknown>;
}

/**
 * Calls an action by its contract. From a context, the call passes the context's identity on. From the broker, it has
 * no identity unless `meta` sets one.
 */
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
 * Sends a hint to one node of each listening service, to all nodes with such a service, or to the nodes with these ids,
 * if the services listen with `onThisNode`.
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
  /** In milliseconds. Default: the broker's timeout. */
  timeout?: number;
  /**
   * The call waits for an external server, or does work that a user requested. So a long duration does not mean that
   * its node is unhealthy.
   */
  outside?: boolean;
}

/** A read that begins while the caller's access and the parameters are still being checked. It must change nothing. */
export type EarlyRead = (ctx: { params: unknown; call: unknown }) => Promise<unknown>;

/** An action of a service, typed by its contract. `this` is the service. */
export function handle<N extends ActionName, Self = unknown>(
  name: N,
  handler: (this: Self, ctx: ActionContext<N>) => Promise<OutputOf<N>>,
  { outside = false, ...options }: ActionOptions & { alongside?: EarlyRead } = {},
): ActionSchema {
  return {
    ...options,
    ...(outside && { circuitBreaker: { enabled: false } }),
    ...(READS.has(name) && { retryPolicy: { enabled: true } }),
    handler,
  } as ActionSchema;
}
