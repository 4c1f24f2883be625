import { v7 as uuid } from "uuid";
import { defineCollection, type DocumentOf } from "../../adapters/store/define-collection.ts";
import { string } from "../../adapters/store/field-types.ts";
import type { Store } from "../../adapters/store/port.ts";
import { MAX_TITLE, type NotificationType } from "../../contracts/entities/notification.ts";
import type { Role } from "../../contracts/primitives.ts";
import { clip } from "../../core/clip.ts";
import { type Notice, OUTBOX_FIELDS, OUTBOX_INDEX, outboxOf, markForNotice } from "../../service-kit/outbox.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type MemberDoc, members, workspaces } from "./model.ts";

/** A removed member. The document exists until the member was notified. */
export const departures = defineCollection({
  name: "departures",
  tenant: true,
  fields: { userId: string(), ...OUTBOX_FIELDS },
  // The second index is for the purge of a workspace.
  indexes: [OUTBOX_INDEX, [{ workspaceId: 1 }]],
});
export type DepartureDoc = DocumentOf<typeof departures>;

/** How long a removal may take. If the member is still there after that, the removal did not happen. */
const UNDECIDED_MS = 10_000;

/**
 * Removes a member who has this role and records a departure, so that the member is notified. Returns false if no such
 * member exists. Where the two writes are not atomic, the departure is written first. It has no effect while the member
 * still exists.
 */
export async function removeAndNotify(store: Store, workspaceId: string, userId: string, role: Role): Promise<boolean> {
  const leaving = store.tenant(departures, workspaceId);
  const now = new Date();
  const id = uuid();
  const [, removed] = await store.write([
    leaving.ops.insert({ id, workspaceId, userId, tellAt: new Date(now.getTime() + UNDECIDED_MS) }),
    store.tenant(members, workspaceId).ops.remove({ userId, role }),
  ]);
  if (removed) await leaving.updateOne({ id }, { $set: markForNotice(now) });
  else await leaving.remove({ id });
  return removed !== undefined && removed > 0;
}

async function notice(
  store: Store,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  type: NotificationType,
  key: string,
  title: (workspace: string) => string,
): Promise<Notice[]> {
  const workspace = await store.global(workspaces).get({ id: workspaceId, ...ALIVE });
  if (!workspace) return [];
  return [{ key, workspaceId, type, title: clip(title(workspace.name), MAX_TITLE), to: { userIds: [userId] } }];
}

export const roleChanges = outboxOf<MemberDoc>({
  collection: members,
  notices(doc) {
    const key = `role:${doc.id}:${doc.updatedAt.getTime()}`;
    return notice(this.store, doc, "role_changed", key, name => `Your role is now ${doc.role} in ${name}`);
  },
});

export const removals = outboxOf<DepartureDoc>({
  collection: departures,
  once: true,
  async notices(doc) {
    const { workspaceId, userId } = doc;
    if (await this.store.tenant(members, workspaceId).get({ userId })) return [];
    return notice(this.store, doc, "member_removed", `removed:${doc.id}`, name => `You were removed from ${name}`);
  },
});
