import { renewEvery } from "../../service-kit/renew-every.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { type ServerDoc, servers } from "./model.ts";

/** How long a dead node's lease keeps other nodes from syncing a server. */
const LEASE_MS = 6_000;

export const leaseEnd = (now = Date.now()) => new Date(now + LEASE_MS);

/**
 * Takes the lease of a server for one sync. Null if another sync holds it, if the server does not exist, or (`onlyDue`)
 * if its sync is not due.
 */
export async function takeServer(
  { store }: WithStore,
  { workspaceId, id }: Pick<ServerDoc, "workspaceId" | "id">,
  holder: string,
  onlyDue: boolean,
): Promise<ServerDoc | null> {
  const now = new Date();
  const due = { syncAt: { $lte: now } };
  const free = onlyDue ? due : { $or: [{ syncHolder: null }, due] };
  return store
    .tenant(servers, workspaceId)
    .updateOne({ id, ...ALIVE, ...free }, { $set: { syncHolder: holder, syncAt: leaseEnd(now.getTime()) } });
}

/** Renews the lease of a server until the returned function is called. */
export function keepLease(
  { store }: WithStore,
  { workspaceId, id }: Pick<ServerDoc, "workspaceId" | "id">,
  holder: string,
): () => void {
  const mine = { id, syncHolder: holder, ...ALIVE };
  return renewEvery(LEASE_MS / 3, () =>
    store.tenant(servers, workspaceId).updateOne(mine, { $set: { syncAt: leaseEnd() } }),
  );
}

/** Releases a server without a result. Its next sync may begin at `again`. */
export async function releaseServer(
  { store }: WithStore,
  { workspaceId, id }: Pick<ServerDoc, "workspaceId" | "id">,
  holder: string,
  again: Date,
): Promise<void> {
  await store
    .tenant(servers, workspaceId)
    .updateOne({ id, syncHolder: holder, ...ALIVE }, { $set: { syncAt: again }, $unset: { syncHolder: true } });
}
