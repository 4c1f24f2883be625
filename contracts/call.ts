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

/** Actions that change nothing. When a node dies and its answer is lost, they can safely be called again. */
export const READS: ReadonlySet<string> = new Set([
  ...ROUTES.filter(({ method }) => method === "GET").map(({ action }) => action),
  ...contracts.filter(([, { reads }]) => reads).map(([name]) => name),
]);

/**
 * The metadata of a call. What a remote action writes here comes back to its caller, so only the gateway may write,
 * apart from the marked fields.
 */
export interface Meta {
  identity?: Identity;
  /** Returns to the gateway: the answer is a stored one. Only middlewares/idempotency.ts writes it. */
  replayed?: boolean;
  /**
   * Returns to the gateway: nothing was created, the answer is what was there. Only actions of routes with `found`
   * write it.
   */
  found?: boolean;
  /** Returns to the gateway: part of the search was unavailable. The actions that search write it. */
  degraded?: boolean;
  /**
   * Returns to the gateway: the web page's session, to set its cookie, or null to remove the cookie. Only the actions
   * `identity.browser.*` write it.
   */
  session?: { token: string; expiresAt: Date | string } | null;
  /**
   * Returns to the gateway: the token of an authorization that the browser has to keep. Only `credentials.authorize`
   * writes it.
   */
  authorization?: { token: string; seconds: number };
  /**
   * Identifies a call of a tool, for its progress and cancellation (see mcp.tools.invoke), or a call of the language
   * model, for its cancellation. Only the gateway's `/mcp` and steps that ask the model set it.
   */
  callId?: string;
}

/** What the access middleware finds out about the caller, for the action that runs. */
export interface Locals {
  role?: Role;
  memberId?: string;
  /** What the action reads alongside the check, for callers who are allowed. */
  alongside?: Promise<unknown>;
}

export type ActionContext<N extends ActionName> = Context<ParamsOf<N>, Meta, Locals & RequestLocals>;

/** The caller. Every action except public and internal ones has passed the access check, so the caller is known. */
export function callerOf(ctx: { meta: Meta }): Identity {
  if (!ctx.meta.identity) throw new AppError("unauthenticated");
  return ctx.meta.identity;
}

/** The signed-in user who calls, for actions that API keys may not call. */
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
  /** Asks this node and no other. */
  nodeID?: string;
  meta?: Meta;
}

interface Caller {
  call(name: string, params: unknown, options?: CallOptions): Promise<unknown>;
}

/**
 * Calls an action by its contract: from a context, which passes its identity on, or from the broker, which has no
 * identity unless `meta` sets one.
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
 * Sends a hint to one node of each listening service, to all nodes that have such a service, or to the nodes with these
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
  /** Milliseconds. The default is the broker's. */
  timeout?: number;
  /**
   * The call waits for an external server or does work that a user asked for, so a long duration does not mean that its
   * node is unhealthy.
   */
  outside?: boolean;
}

/** A read of an action that begins while the caller's access and the parameters are still checked. It must change nothing. */
export type Alongside = (ctx: { params: unknown; call: unknown }) => Promise<unknown>;

/** An action of a service, typed by its contract; `this` is the service. */
export function handle<N extends ActionName, Self = unknown>(
  name: N,
  handler: (this: Self, ctx: ActionContext<N>) => Promise<OutputOf<N>>,
  { outside = false, ...options }: ActionOptions & { alongside?: Alongside } = {},
): ActionSchema {
  return {
    ...options,
    ...(outside && { circuitBreaker: { enabled: false } }),
    ...(READS.has(name) && { retryPolicy: { enabled: true } }),
    handler,
  } as ActionSchema;
}
