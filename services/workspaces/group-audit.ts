import { call } from "../../contracts/call.ts";
import type { AuditOutcome } from "../../contracts/entities/audit-entry.ts";
import { errorCode } from "../../contracts/errors.ts";

/** The changes that a person's groups cause in a workspace. */
export type GroupChange = "groups.role_given" | "groups.role_taken" | "groups.role_managed";

/** A sign-in through a provider. */
export interface GroupSignIn {
  ctx: { call: unknown; requestID?: string | null };
  userId: string;
  provider: string;
  address: string;
}

const FIELDS: Record<GroupChange, string[]> = {
  "groups.role_given": ["role", "managedBy"],
  "groups.role_taken": [],
  "groups.role_managed": ["managedBy"],
};

/**
 * Changes a member and records the change in the audit log of the workspace. The entry is written before the change, so
 * no change is without an entry. After an interruption, the outcome of the entry remains `unknown`.
 * @throws the errors of `change`, and the error of an entry that cannot be written
 */
export async function changeAudited(
  { ctx, userId, address }: GroupSignIn,
  workspaceId: string,
  action: GroupChange,
  change: () => Promise<unknown>,
): Promise<void> {
  const { id } = await call(ctx, "audit.record", {
    workspaceId,
    actor: { kind: "user", id: userId, userId },
    action,
    resourceType: "member",
    resourceId: userId,
    spaceId: null,
    fields: FIELDS[action],
    requestId: ctx.requestID ?? "",
    address,
    outcome: "unknown",
    error: null,
  });
  const conclude = (outcome: AuditOutcome, error: string | null) =>
    call(ctx, "audit.conclude", { workspaceId, id, resourceId: userId, outcome, error }).catch(() => undefined);
  try {
    await change();
  } catch (error) {
    await conclude("failed", errorCode(error) ?? "internal_error");
    throw error;
  }
  await conclude("succeeded", null);
}
