import { v7 as uuid } from "uuid";
import { handle } from "../../contracts/call.ts";
import { firstIdAt } from "../../core/id-time.ts";
import { namesOf } from "../../service-kit/names.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { auditEntries, presentEntry } from "./model.ts";

export const list = handle<"audit.list", WithStore>("audit.list", async function (ctx) {
  const { workspaceId, limit, cursor: after = null, from, to, ...equal } = ctx.params;
  const range = {
    ...(from !== undefined && { $gte: firstIdAt(new Date(from)) }),
    ...(to !== undefined && { $lt: firstIdAt(new Date(to)) }),
  };
  const filter = { ...equal, ...(Object.keys(range).length > 0 && { id: range }) };
  const found = await this.store.tenant(auditEntries, workspaceId).find(filter, { sort: { id: -1 }, limit, after });
  const names = await namesOf(ctx, workspaceId, { users: found.items.map(doc => doc.actorUserId) });
  const items = found.items.map(doc => {
    const actorName = doc.actorEmail ?? names.user(doc.actorUserId);
    return { ...presentEntry(doc), ...(actorName && { actorName }) };
  });
  return { items, next: found.next };
});

export const record = handle<"audit.record", WithStore>("audit.record", async function (ctx) {
  const { actor, ...fields } = ctx.params;
  const who = { actorKind: actor.kind, actorId: actor.id, actorUserId: actor.userId, actorEmail: actor.email };
  const { id } = await this.store.tenant(auditEntries, fields.workspaceId).insert({ id: uuid(), ...fields, ...who });
  return { id };
});

export const conclude = handle<"audit.conclude", WithStore>("audit.conclude", async function (ctx) {
  const { workspaceId, id, ...$set } = ctx.params;
  await this.store.tenant(auditEntries, workspaceId).updateOne({ id, outcome: "unknown", error: null }, { $set });
  return null;
});

export const purge = handle<"audit.purge", WithStore>("audit.purge", async function (ctx) {
  await removeAll(this.store.tenant(auditEntries, ctx.params.workspaceId), {});
  return null;
});
