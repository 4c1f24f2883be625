import type { ActionSchema, Context, Middleware } from "moleculer";
import { contractOf } from "../contracts/actions.ts";
import { call, type EarlyRead, type Locals, type Meta, READS } from "../contracts/call.ts";
import type { ActionContract } from "../contracts/define-action.ts";
import type { Identity } from "../contracts/entities/user.ts";
import { AppError, notFound } from "../contracts/errors.ts";
import type { Role } from "../contracts/primitives.ts";
import { ROUTES } from "../contracts/routes.ts";
import { scopesAllow } from "../core/key-scopes.ts";
import { includesRole, lowerRole } from "../core/roles.ts";

type Membership = Required<Pick<Locals, "role" | "memberId">>;
type Scoped = Context<{ workspaceId: string; spaceId: string }, Meta, Locals>;

/**
 * The caller's role in a workspace. An API key has at most its own role, unless it has the scope that replaces the
 * role.
 * @throws {AppError} `not_found` for callers outside the workspace
 * @throws {AppError} `factor_required` for people whose session lacks a required second factor
 * @throws {AppError} `unauthenticated` for keys whose creator left
 */
async function membership(ctx: Scoped, identity: Identity, keyScope: string | undefined): Promise<Membership> {
  const { workspaceId } = ctx.params;
  // A caller outside the workspace must not learn that it exists.
  if (identity.kind === "apiKey" && identity.workspaceId !== workspaceId) throw notFound("workspace");
  const {
    role,
    memberId = "",
    demandsFactor,
  } = await call(ctx, "workspaces.roleOf", { workspaceId, userId: identity.userId });
  if (identity.kind === "user") {
    if (!role) throw notFound("workspace");
    if (demandsFactor && !identity.factor) throw new AppError("factor_required");
    return { role, memberId };
  }
  if (!role || memberId !== identity.memberId) throw new AppError("unauthenticated");
  const isScoped = keyScope !== undefined && identity.scopes?.includes(keyScope);
  return { role: isScoped ? role : lowerRole(role, identity.role), memberId };
}

/** Actions that change nothing, although no GET route leads to them. */
const ALSO_READS: ReadonlySet<string> = new Set([
  "files.open",
  "executions.progress",
  "memory.archive",
  "workflows.catalog",
  "workflows.tools",
  "workspaces.export",
  ...ROUTES.filter(({ searches }) => searches).map(({ action }) => action),
]);

/** @throws {AppError} scope_missing */
function checkScopes({ action, params }: Scoped, scopes: readonly string[], keyScope: string | undefined): void {
  const name = action?.name ?? "";
  const reads = READS.has(name) || ALSO_READS.has(name);
  const { workflowId } = params as { workflowId?: unknown };
  if (!scopesAllow(scopes, { action: name, reads, workflowId, keyScope })) {
    throw new AppError("scope_missing", { detail: `The API key has only these scopes: ${scopes.join(", ")}.` });
  }
}

async function check(ctx: Scoped, { access, inSpace, apiKeys, keyScope }: ActionContract): Promise<void> {
  const { identity } = ctx.meta;
  if (!identity) throw new AppError("unauthenticated");
  if (identity.kind === "apiKey" && !apiKeys) throw new AppError("api_key_not_allowed");
  // Only the outermost call is checked. Calls that a service makes on its behalf are allowed.
  if (identity.kind === "apiKey" && ctx.level <= 1) checkScopes(ctx, identity.scopes ?? [], keyScope);
  if (access === "user") return;
  if (access === "operator") {
    const proved = identity.kind === "user" && Boolean(identity.factor);
    const operator = await call(ctx, "identity.isOperator", { userId: identity.userId, proved });
    if (!operator) throw new AppError("operator_only");
    return;
  }
  const { workspaceId, spaceId } = ctx.params;
  // Read in parallel to the role. Callers without the role do not learn the result.
  const space = inSpace ? call(ctx, "pods.spaces.exists", { workspaceId, spaceId }) : null;
  space?.catch(() => undefined);
  const { role, memberId } = await membership(ctx, identity, keyScope);
  const needed = access as Role;
  if (!includesRole(role, needed)) {
    throw new AppError("role_too_low", { detail: `This requires the role \`${needed}\`; your role is \`${role}\`.` });
  }
  Object.assign(ctx.locals, { role, memberId });
  if (space && !(await space).exists) throw notFound("space");
}

/** Allows a call if the role in its contract, and the space that it names, permit it. */
export const access: Middleware = {
  name: "access",
  localAction(next: (ctx: Context) => unknown, action: ActionSchema) {
    const contract = contractOf(action.name ?? "");
    if (!contract || contract.access === "public" || contract.access === "internal") return next;
    const { alongside } = action as { alongside?: EarlyRead };
    return async function allowed(ctx: Context) {
      const begun = alongside?.(ctx);
      begun?.catch(() => undefined);
      await check(ctx as Scoped, contract);
      if (begun) Object.assign(ctx.locals, { alongside: begun });
      return next(ctx);
    };
  },
};
