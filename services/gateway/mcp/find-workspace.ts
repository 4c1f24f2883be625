import type { ServiceBroker } from "moleculer";
import { call } from "../../../contracts/call.ts";
import type { Identity } from "../../../contracts/entities/user.ts";
import { AppError } from "../../../contracts/errors.ts";
import type { Role } from "../../../contracts/primitives.ts";

const TIMEOUT_MS = 10_000;

export interface WorkspaceAccess {
  workspaceId: string;
  role: Role;
}

/**
 * The workspace of a request: the one in its path, an API key's own, or the only one of a user.
 * @throws {AppError} not_found when the user is not a member, unauthenticated, or validation_failed when the path names
 * none and the user does not have exactly one
 */
export async function findWorkspace(
  broker: ServiceBroker,
  identity: Identity,
  named: string | undefined,
  requestID: string,
): Promise<WorkspaceAccess> {
  const options = { timeout: TIMEOUT_MS, meta: { identity }, requestID };
  const workspaceId = named ?? (identity.kind === "apiKey" ? identity.workspaceId : undefined);
  if (workspaceId !== undefined) {
    const { id, role } = await call(broker, "workspaces.get", { workspaceId }, options);
    return { workspaceId: id, role };
  }
  const { items } = await call(broker, "workspaces.list", { limit: 2 }, options);
  const [only, another] = items;
  if (only && !another) return { workspaceId: only.id, role: only.role };
  const detail = `You are a member of ${only ? "several workspaces" : "no workspace"}. Add the workspace to the URL (/mcp/<workspaceId>), or use an API key.`;
  throw new AppError("validation_failed", { detail });
}
