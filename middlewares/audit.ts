import type { ActionSchema, Context, Middleware } from "moleculer";
import { ACTIONS, contractOf } from "../contracts/actions.ts";
import { call, callerOf, type Meta } from "../contracts/call.ts";
import type { AuditOutcome } from "../contracts/entities/audit-entry.ts";
import { principalOf } from "../contracts/entities/user.ts";
import { workspace } from "../contracts/entities/workspace.ts";
import { errorCode, ERRORS } from "../contracts/errors.ts";
import { ID_PATTERN } from "../contracts/primitives.ts";
import type { RequestHeaders, RequestLocals } from "../contracts/request.ts";
import { type Resource, resourceOf } from "../contracts/resource.ts";
import { pathVariables, type Route, ROUTES } from "../contracts/routes.ts";

type Params = Record<string, unknown>;
type Asked = Context<Params, Meta, RequestLocals, RequestHeaders>;
type Next = (ctx: Context) => Promise<unknown>;

/** An action that clients can change something by. */
interface Subject {
  route: Route;
  resource: Resource;
  /** What a request may set, by name. */
  fields: string[];
  inWorkspace: boolean;
}

/** The route that leads to an action; with `first`, the one that asks it before its own. */
function subjectOf(name: string, first = false): Subject | undefined {
  const route = ROUTES.find(
    ({ method, action, upload }) => method !== "GET" && (action === name || (first && upload?.begin === name)),
  );
  if (!route || ACTIONS[route.action].access === "public") return undefined;
  const inPath = new Set(pathVariables(route.path, route.variables).map(({ field }) => field));
  const all = Object.keys(ACTIONS[route.action].input.shape);
  const fields = all.filter(field => !inPath.has(field) && !Object.values(route.headers).includes(field));
  return { route, resource: resourceOf(route), fields, inWorkspace: all.includes("workspaceId") };
}

/** A call by a client, not by another service. */
const isAsked = (ctx: Context): boolean => (ctx as Asked).headers.address !== undefined;

const idOr = (value: unknown) => (typeof value === "string" && ID_PATTERN.test(value) ? value : null);
const idOf = (result: unknown) => idOr((result as { id?: unknown } | null)?.id);

/** What is known of a call before it is carried out. Its input may not have been checked yet. */
function callOf({ params, meta, headers, requestID }: Asked, { route, resource, fields }: Subject) {
  const identity = callerOf({ meta });
  return {
    workspaceId: String(params.workspaceId),
    actor: { kind: identity.kind, id: principalOf(identity), userId: identity.userId },
    action: route.action,
    resourceType: resource.type,
    resourceId: resource.field && idOr(params[resource.field]),
    spaceId: idOr(params.spaceId),
    fields: fields.filter(field => params[field] !== undefined),
    requestId: requestID ?? "",
    address: headers.address ?? "",
  };
}

function endOf(error: unknown): { outcome: AuditOutcome; error: string } {
  const code = errorCode(error) ?? "internal_error";
  const { status } = ERRORS[code];
  // What failed on our side may have been carried out all the same.
  return { outcome: status === 403 ? "denied" : status < 500 ? "failed" : "unknown", error: code };
}

/**
 * Records what members are refused for want of rights. It stands before the access check; strangers, for whom the workspace is
 * not there, write nothing into its log.
 */
export const auditDenials: Middleware = {
  name: "audit-denials",
  localAction(next: Next, { name = "" }: ActionSchema) {
    const subject = subjectOf(name, true);
    if (!subject?.inWorkspace) return next;
    return function watched(ctx: Context) {
      return next(ctx).catch(async (error: unknown) => {
        const end = endOf(error);
        const own = ctx as Asked;
        if (end.outcome === "denied" && isAsked(ctx) && !own.locals.recorded) {
          await call(ctx, "audit.record", { ...callOf(own, subject), ...end });
        }
        throw error;
      });
    };
  },
};

async function recorded(ctx: Asked, next: Next, subject: Subject): Promise<unknown> {
  const entry = callOf(ctx, subject);
  const { workspaceId, resourceId } = entry;
  const { id } = await call(ctx, "audit.record", { ...entry, outcome: "unknown", error: null });
  ctx.locals.recorded = true;
  // The entry is there; an end that cannot be written down leaves it `unknown`, which is the truth.
  const conclude = (end: { outcome: AuditOutcome; error: string | null }, made: string | null) =>
    call(ctx, "audit.conclude", { workspaceId, id, resourceId: resourceId ?? made, ...end }).catch((error: unknown) =>
      ctx.broker.logger.warn("How a recorded call has ended could not be written down.", error),
    );
  let result: unknown;
  try {
    result = await next(ctx);
  } catch (error) {
    await conclude(endOf(error), null);
    throw error;
  }
  await conclude({ outcome: "succeeded", error: null }, idOf(result));
  return result;
}

/** Who makes or joins a workspace begins no sooner than with it to be in its log. */
async function recordedAfter(ctx: Asked, next: Next, subject: Subject): Promise<unknown> {
  const result = await next(ctx);
  const workspaceId = idOf(result) ?? "";
  const entry = { ...callOf(ctx, subject), workspaceId, resourceType: "workspace", resourceId: workspaceId };
  await call(ctx, "audit.record", { ...entry, outcome: "succeeded", error: null });
  return result;
}

/**
 * Records a change before it is begun, and how it ended before the client is answered: there is no change without an entry,
 * whenever a process is killed.
 */
export const auditChanges: Middleware = {
  name: "audit-changes",
  localAction(next: Next, { name = "" }: ActionSchema) {
    const subject = subjectOf(name);
    if (!subject?.route.audited) return next;
    const record = subject.inWorkspace ? recorded : recordedAfter;
    if (!subject.inWorkspace && contractOf(name)?.output !== workspace) return next;
    return function kept(ctx: Context) {
      return isAsked(ctx) ? record(ctx as Asked, next, subject) : next(ctx);
    };
  },
};
