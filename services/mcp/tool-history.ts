import type { WriteOp } from "../../adapters/store/port.ts";
import { changesToTell } from "../../core/mcp/tool-changes.ts";
import { derivedId } from "../../service-kit/derived-id.ts";
import { type ChangeDoc, changes, type ServerDoc } from "./model.ts";
import type { Self } from "./service.ts";

/** The most changes that are kept for one server. Older ones are removed. */
export const MAX_CHANGES = 200;
/** The size of a change in a response, without its texts. */
const FRAME_BYTES = 500;
/** More changes than interrupted syncs can leave behind. */
const MAX_KEPT = 1_000;

export type Difference = Pick<
  ChangeDoc,
  "toolId" | "name" | "kind" | "fields" | "before" | "after" | "changes" | "truncated"
>;

function changeOf(
  { id: serverId, workspaceId }: ServerDoc,
  difference: Difference,
  { since, at }: Pick<ChangeDoc, "since" | "at">,
): ChangeDoc {
  const { toolId, before, after } = difference;
  const id = derivedId(since, `${toolId} ${before ?? ""} ${after ?? ""}`);
  const bytes = FRAME_BYTES + Buffer.byteLength(JSON.stringify(difference));
  return { id, workspaceId, serverId, ...difference, since, bytes, at };
}

export interface ToolHistory {
  /**
   * Write these before the changes that they record, because they let a later sync recognise the changes of an
   * interrupted one.
   */
  ops: WriteOp[];
  /** The names of the tools whose changed definitions people must be notified of with this sync. */
  markForNotice: string[];
}

/**
 * Records the differences that a sync found and removes the oldest ones. The first successful sync records none,
 * because no user could rely on the tools before it.
 */
export async function toolHistory(
  { store }: Pick<Self, "store">,
  server: ServerDoc,
  differences: readonly Difference[],
  at: Date,
): Promise<ToolHistory> {
  const { workspaceId, id: serverId, lastSyncedAt: since, changesToldAt: toldAt = null } = server;
  if (!since) return { ops: [], markForNotice: [] };
  const all = store.tenant(changes, workspaceId);
  const kept = (await all.find({ serverId }, { sort: { at: -1 }, limit: MAX_KEPT })).items;
  const begun = kept.filter(change => change.since.getTime() === since.getTime());
  const known = new Set(begun.map(({ id }) => id));
  const noted = differences
    .slice(0, MAX_CHANGES)
    .map(difference => changeOf(server, difference, { since, at }))
    .filter(({ id }) => !known.has(id));
  // The changes of interrupted syncs are reported together with those of this one.
  const seen = toldAt === null ? begun : kept;
  const old = kept.slice(Math.max(0, MAX_CHANGES - noted.length)).map(({ id }) => id);
  return {
    ops: [
      ...(old.length > 0 && noted.length > 0 ? [all.ops.remove({ id: { $in: old } })] : []),
      ...noted.map(change => all.ops.insert(change)),
    ],
    markForNotice: changesToTell(
      [...seen, ...differences.map(difference => ({ ...difference, since, at }))],
      toldAt,
      at,
    ),
  };
}
