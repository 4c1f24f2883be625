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

/** A prefix of the field by which a list is sorted. */
const beginning = z.string().trim().toLowerCase().min(1).max(254).meta({ pattern: "\\S" }).optional();

/** Actions of the installation's operators on accounts and workspaces. */
export const operatorActions = {
  /** `proved`: the session was proved by a second factor. Errors: factor_required, if the installation demands one. */
  "identity.isOperator": action("internal", { userId: id, proved: z.boolean() }, z.boolean(), { reads: true }),
  "identity.operator.status": action("operator", {}, operatorStatus),
  /** Newest first. With `search`, the users whose address begins with it, by address. */
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
  /** Newest first. With `search`, the workspaces whose slug begins with it, by slug. */
  "workspaces.operator.list": action("operator", { search: beginning, ...pageInput }, page(operatedWorkspace)),
  "workspaces.operator.get": action("operator", { workspaceId: id }, operatedWorkspace),
  "workspaces.operator.remove": action("operator", { workspaceId: id }, nothing),
  /** Makes a user the only owner. Former owners become admins. */
  "workspaces.operator.setOwner": action("operator", { workspaceId: id, userId: id }, operatedWorkspace),
  "workspaces.operator.getQuotas": action("operator", { workspaceId: id }, quotas),
  /** Changes the quotas of one workspace, which otherwise come from `LIMITS`. Errors: not_found. */
  "workspaces.operator.setQuotas": action("operator", { workspaceId: id, quotas: quotaChanges }, quotas),
  /** The numbers of runs of all workspaces by what they wait for. */
  "executions.queue": action("internal", {}, queueCount.extend(queueAges.partial().shape), { reads: true }),
  /** How many runs the responding node holds, and how many have ended there. */
  "executions.worker": action("internal", {}, workerState, { reads: true }),
  /** The bytes of the files of all workspaces. */
  "files.total": action("internal", {}, z.object({ bytes: z.int().min(0) }), { reads: true }),
  /** The texts that wait for vectors. */
  "memory.embeddings": action("internal", {}, embeddingState, { reads: true }),
  "knowledge.embeddings": action("internal", {}, embeddingState, { reads: true }),
  "mcp.embeddings": action("internal", {}, embeddingState, { reads: true }),
  "workspaces.count": action("internal", {}, z.object({ workspaces: z.int() }), { reads: true }),
};
