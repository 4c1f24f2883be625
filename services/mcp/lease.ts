import { ALIVE } from "../../mixins/tombstone.ts";
import type { WithStore } from "../../mixins/store.mixin.ts";
import { type ServerDoc, servers } from "./model.ts";

/** How long a node that was killed keeps a server from the others. */
const LEASE_MS = 6_000;

export const leaseEnd = (now = Date.now()) => new Date(now + LEASE_MS);

/** Holds a server for one sync; null where another sync has it, or it is not there, or (`onlyDue`) its time has not come. */
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

/** Goes on holding a server, until the function that it gives is called. */
export function keepLease(
  { store }: WithStore,
  { workspaceId, id }: Pick<ServerDoc, "workspaceId" | "id">,
  holder: string,
): () => void {
  const renew = () => {
    // A lease that cannot be renewed ends, and what this sync finds is not stored then.
    store
      .tenant(servers, workspaceId)
      .updateOne({ id, syncHolder: holder, ...ALIVE }, { $set: { syncAt: leaseEnd() } })
      .catch(() => undefined);
  };
  const beat = setInterval(renew, LEASE_MS / 3);
  beat.unref();
  return () => clearInterval(beat);
}

/** Lets a server go without an outcome: its next sync may begin at `again`. */
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
