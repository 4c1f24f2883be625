import { z } from "zod";
import { action } from "../define-action.ts";
import {
  embeddingState,
  operatedNewUser,
  operatedUser,
  operatedWorkspace,
  operatorStatus,
  queueAges,
  queueCount,
  resetLink,
  workerState,
} from "../entities/operator.ts";
import { quotaChanges, quotas } from "../entities/quota.ts";
import { email } from "../entities/user.ts";
import { id, name, nothing, page, pageInput } from "../primitives.ts";

/** The beginning of what a list is sorted by. */
const beginning = z.string().trim().toLowerCase().min(1).max(254).meta({ pattern: "\\S" }).optional();

/** What operators of the installation do with accounts and workspaces. */
export const operatorActions = {
  /** `proved`: a second factor proved the session. Errors: factor_required, where one is demanded everywhere. */
  "identity.isOperator": action("internal", { userId: id, proved: z.boolean() }, z.boolean(), { reads: true }),
  "identity.operator.status": action("operator", {}, operatorStatus),
  /** Newest first; with `search`, those whose address begins like that, by address. */
  "identity.operator.users.list": action("operator", { search: beginning, ...pageInput }, page(operatedUser)),
  "identity.operator.users.get": action("operator", { userId: id }, operatedUser),
  /** Errors: email_taken. */
  "identity.operator.users.create": action("operator", { email, name: name.optional() }, operatedNewUser),
  /** Errors: account_is_own. */
  "identity.operator.users.update": action("operator", { userId: id, disabled: z.boolean() }, operatedUser),
  /** Errors: account_is_own, owns_workspaces. */
  "identity.operator.users.remove": action("operator", { userId: id }, nothing),
  "identity.operator.users.makeResetLink": action("operator", { userId: id }, resetLink),
  "identity.operator.users.endSessions": action("operator", { userId: id }, nothing),
  "identity.operator.users.removeFactors": action("operator", { userId: id }, nothing),
  /** Newest first; with `search`, those whose slug begins like that, by slug. */
  "workspaces.operator.list": action("operator", { search: beginning, ...pageInput }, page(operatedWorkspace)),
  "workspaces.operator.get": action("operator", { workspaceId: id }, operatedWorkspace),
  "workspaces.operator.remove": action("operator", { workspaceId: id }, nothing),
  /** Makes a user the only owner. Former owners become admins. */
  "workspaces.operator.setOwner": action("operator", { workspaceId: id, userId: id }, operatedWorkspace),
  "workspaces.operator.getQuotas": action("operator", { workspaceId: id }, quotas),
  /** Changes what applies to one workspace, instead of `LIMITS`. Errors: not_found. */
  "workspaces.operator.setQuotas": action("operator", { workspaceId: id, quotas: quotaChanges }, quotas),
  /** What runs of all workspaces wait for. */
  "executions.queue": action("internal", {}, queueCount.extend(queueAges.partial().shape), { reads: true }),
  /** What the node that answers holds and has ended. */
  "executions.worker": action("internal", {}, workerState, { reads: true }),
  /** The bytes of the files of all workspaces. */
  "files.total": action("internal", {}, z.object({ bytes: z.int().min(0) }), { reads: true }),
  /** The texts that wait for vectors. */
  "memory.embeddings": action("internal", {}, embeddingState, { reads: true }),
  "knowledge.embeddings": action("internal", {}, embeddingState, { reads: true }),
  "mcp.embeddings": action("internal", {}, embeddingState, { reads: true }),
  "workspaces.count": action("internal", {}, z.object({ workspaces: z.int() }), { reads: true }),
};
