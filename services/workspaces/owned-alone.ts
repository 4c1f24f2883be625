import type { Store } from "../../adapters/store/port.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type MemberDoc, members, workspaces } from "./model.ts";

const PAGE = 100;
/** The most workspaces that an error names. */
const MAX_NAMED = 20;

/** What remains of a workspace when this member leaves: no members, members without an owner, or an owner. */
export async function remainingMembers(store: Store, { workspaceId, userId, role }: MemberDoc) {
  const all = store.tenant(members, workspaceId);
  if ((await all.count({ userId: { $ne: userId } }, { limit: 1 })) === 0) return "no-members" as const;
  if (role !== "owner") return "owner" as const;
  const others = await all.count({ role: "owner", userId: { $ne: userId } }, { limit: 1 });
  return others === 0 ? ("no-owner" as const) : ("owner" as const);
}

export async function* membershipsOf(store: Store, userId: string): AsyncGenerator<MemberDoc> {
  const all = store.acrossTenants(members);
  for (let after: string | null = null, more = true; more;) {
    const { items, next } = await all.find({ userId }, { sort: { workspaceId: -1 }, limit: PAGE, after });
    yield* items;
    after = next;
    more = next !== null;
  }
}

/** The names of workspaces with other members that this user alone owns, at most 20. */
export async function namesOfSolelyOwned(store: Store, userId: string): Promise<string[]> {
  const names: string[] = [];
  for await (const member of membershipsOf(store, userId)) {
    if (names.length >= MAX_NAMED) break;
    if (member.role !== "owner" || (await remainingMembers(store, member)) !== "no-owner") continue;
    const workspace = await store.global(workspaces).get({ id: member.workspaceId, ...ALIVE });
    if (workspace) names.push(workspace.name);
  }
  return names;
}
