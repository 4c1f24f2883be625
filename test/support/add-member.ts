import { v7 as uuid } from "uuid";
import type { Identity } from "../../contracts/entities/user.ts";
import type { Role } from "../../contracts/primitives.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { members } from "../../services/workspaces/model.ts";
import { type ServiceNode, userIdentity } from "./service-node.ts";

/** Makes a user a member with this role. */
export async function addMember(
  node: ServiceNode,
  workspaceId: string,
  role: Role,
  who = userIdentity(),
): Promise<Identity> {
  const { store } = node.service<WithStore>("workspaces");
  const now = new Date();
  const member = { id: uuid(), workspaceId, userId: who.userId, role, createdAt: now, updatedAt: now };
  await store.tenant(members, workspaceId).insert(member);
  return who;
}
