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

/** An action with which clients can change a resource. */
interface Subject {
  route: Route;
  resource: Resource;
  /** The names of the fields that a request may set. */
  fields: string[];
  inWorkspace: boolean;
}

/** The first route of each action with which clients change something. */
const CHANGES = new Map<string, Route>(
  ROUTES.toReversed().flatMap(route => (route.method === "GET" ? [] : [[route.action, route]])),
);
/** The upload routes, by the action that they call before their own. */
const UPLOADS = new Map<string, Route>(ROUTES.flatMap(route => (route.upload ? [[route.upload.begin, route]] : [])));

/** Finds the route of an action. With `first`, also the upload route that calls the action before its own. */
function subjectOf(name: string, first = false): Subject | undefined {
  const route = CHANGES.get(name) ?? (first ? UPLOADS.get(name) : undefined);
  if (!route || ACTIONS[route.action].access === "public") return undefined;
  const inPath = new Set(pathVariables(route.path, route.variables).map(({ field }) => field));
  const all = Object.keys(ACTIONS[route.action].input.shape);
  const fields = all.filter(field => !inPath.has(field) && !Object.values(route.headers).includes(field));
  return { route, resource: resourceOf(route), fields, inWorkspace: all.includes("workspaceId") };
}

/** Whether a client makes the call, rather than another service. */
const isAsked = (ctx: Context): boolean => (ctx as Asked).headers.address !== undefined;

const idOr = (value: unknown) => (typeof value === "string" && ID_PATTERN.test(value) ? value : null);
const idOf = (result: unknown) => idOr((result as { id?: unknown } | null)?.id);

/** The audit entry of a call before it is executed. Its input may not be validated yet. */
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
  // A call that failed on the server's side may still have taken effect.
  return { outcome: status === 403 ? "denied" : status < 500 ? "failed" : "unknown", error: code };
}

/**
 * Records calls of members that were denied for missing rights. It runs before the access check. Calls from outside the
 * workspace are not recorded, because the workspace must appear not to exist.
 */
export const auditDenials: Middleware = {
  name: "audit-denials",
  localAction(next: Next, { name = "" }: ActionSchema) {
    const subject = subjectOf(name, true);
    // A rejected operator action is not recorded, because its caller need not be a member of the workspace.
    if (!subject?.inWorkspace || contractOf(name)?.access === "operator") return next;
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
  // If the outcome cannot be recorded, the entry stays `unknown`, which is accurate.
  const conclude = (end: { outcome: AuditOutcome; error: string | null }, made: string | null) =>
    call(ctx, "audit.conclude", { workspaceId, id, resourceId: resourceId ?? made, ...end }).catch((error: unknown) =>
      ctx.broker.logger.warn("The outcome of a call could not be written to its audit entry.", error),
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

/** Records the creation or joining of a workspace. The entry follows the call, because there is no log before it. */
async function recordedAfter(ctx: Asked, next: Next, subject: Subject): Promise<unknown> {
  const result = await next(ctx);
  const workspaceId = idOf(result) ?? "";
  const entry = { ...callOf(ctx, subject), workspaceId, resourceType: "workspace", resourceId: workspaceId };
  await call(ctx, "audit.record", { ...entry, outcome: "succeeded", error: null });
  return result;
}

/**
 * Records a change before it starts, and its outcome before the client gets the answer. So every change has an entry,
 * even if the process is killed.
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
