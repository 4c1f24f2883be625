import { v7 as uuid } from "uuid";
import type { Store } from "../../adapters/store/port.ts";
import type { OperatedWorkspace } from "../../contracts/entities/operator.ts";
import type { User } from "../../contracts/entities/user.ts";
import { markForNotice } from "../../service-kit/outbox.ts";
import { revokeBeyond } from "./invites.ts";
import { members, type WorkspaceDoc } from "./model.ts";

/** The most owners of a workspace in a list for operators, and the most users that one call looks up. */
const MAX_OWNERS = 20;
const IDS_AT_ONCE = 200;

/** Finds users by their ids, at most 200. */
type LookUp = (ids: string[]) => Promise<Pick<User, "id" | "email" | "name">[]>;

async function usersOf(lookUp: LookUp, ids: string[]) {
  const different = [...new Set(ids)];
  const users = [];
  for (let from = 0; from < different.length; from += IDS_AT_ONCE) {
    users.push(...(await lookUp(different.slice(from, from + IDS_AT_ONCE))));
  }
  return new Map(users.map(user => [user.id, user]));
}

async function sizeOf(store: Store, workspaceId: string) {
  const all = store.tenant(members, workspaceId);
  const [{ items }, count] = await Promise.all([all.find({ role: "owner" }, { limit: MAX_OWNERS }), all.count({})]);
  return { owners: items.map(({ userId }) => userId), count };
}

/** Workspaces in the form for operators. */
export async function presentOperated(
  store: Store,
  lookUp: LookUp,
  docs: readonly WorkspaceDoc[],
): Promise<OperatedWorkspace[]> {
  const sizes = await Promise.all(docs.map(({ id }) => sizeOf(store, id)));
  const owners = sizes.flatMap(size => size.owners);
  const users = await usersOf(lookUp, owners);
  const person = (id: string) => ({ id, email: users.get(id)?.email ?? null, name: users.get(id)?.name ?? null });
  return docs.map(({ id, name, slug, createdAt, updatedAt }, index) => ({
    id,
    name,
    slug,
    owners: sizes[index]?.owners.map(person) ?? [],
    members: sizes[index]?.count ?? 0,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }));
}

/**
 * Makes a user the only owner, adding the user as a member if necessary. Former owners become admins. The new owner is
 * written first, so that there always is one. A repeated call completes an interrupted one.
 */
export async function makeOwner(store: Store, workspaceId: string, userId: string): Promise<void> {
  const all = store.tenant(members, workspaceId);
  const [current, { items: former }] = await Promise.all([
    all.get({ userId }),
    all.find({ role: "owner", userId: { $ne: userId } }, { limit: MAX_OWNERS }),
  ]);
  const now = new Date();
  const change = { updatedAt: now, ...markForNotice(now) };
  const owner = { role: "owner" as const, ...change };
  const first = current
    ? all.ops.updateOne({ userId }, { $set: owner }, { required: true })
    : all.ops.insert({ id: uuid(), workspaceId, userId, createdAt: now, ...owner });
  await store.write([
    ...(current?.role === "owner" ? [] : [first]),
    all.ops.updateMany({ role: "owner", userId: { $ne: userId } }, { $set: { role: "admin", ...change } }),
  ]);
  for (const one of former) await revokeBeyond(store, workspaceId, one.userId, "admin");
}
