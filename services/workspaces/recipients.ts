import { handle } from "../../contracts/call.ts";
import { ROLES } from "../../contracts/primitives.ts";
import { includesRole } from "../../core/roles.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { members } from "./model.ts";

export const recipients = handle<"workspaces.recipients", WithStore>("workspaces.recipients", async function (ctx) {
  const { workspaceId, userIds, role: least, limit, cursor: after = null } = ctx.params;
  const filter = {
    ...(userIds && { userId: { $in: userIds } }),
    ...(least && { role: { $in: ROLES.filter(role => includesRole(role, least)) } }),
  };
  const { items, next } = await this.store.tenant(members, workspaceId).find(filter, { limit, after });
  return { items: items.map(member => member.userId), next };
});
