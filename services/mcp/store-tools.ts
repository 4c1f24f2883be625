import { setImmediate as nextTurn } from "node:timers/promises";
import type { WriteOp } from "../../adapters/store/port.ts";
import { compareTools } from "../../core/mcp/tool-changes.ts";
import { definitionDiff } from "../../core/mcp/definition.ts";
import { toolIdOf } from "../../service-kit/derived-id.ts";
import { entryOf } from "./indexed-tools.ts";
import { AT_A_TIME, type ListedTool } from "./listed-tools.ts";
import { type ServerDoc, type ToolDoc, tools } from "./model.ts";
import type { Self } from "./service.ts";
import { type Difference, MAX_CHANGES, toolHistory } from "./tool-history.ts";

const PAGE = 500;
/** More pages than the tools of a server can fill. */
const MAX_PAGES = 10;

/** All stored tools of a server. */
export async function toolsOf({ store }: Pick<Self, "store">, { workspaceId, id }: ServerDoc): Promise<ToolDoc[]> {
  const kept: ToolDoc[] = [];
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const found: { items: ToolDoc[]; next: string | null } = await store
      .tenant(tools, workspaceId)
      .find({ serverId: id }, { sort: { id: -1 }, limit: PAGE, after });
    kept.push(...found.items);
    after = found.next;
    if (after === null) break;
  }
  return kept;
}

type Changed = ReturnType<typeof compareTools<ToolDoc, ListedTool>>["changed"];

const whole = { fields: [], changes: [], truncated: false };

/** The difference of each changed tool. Beyond the maximum number, only the hashes are recorded. */
async function diffsOf(changed: Changed): Promise<Difference[]> {
  const diffs: Difference[] = [];
  for (const [at, { before, after }] of changed.entries()) {
    if (at % AT_A_TIME === 0) await nextTurn();
    const how = at < MAX_CHANGES ? definitionDiff(before, after) : whole;
    diffs.push({
      toolId: before.id,
      name: after.name,
      kind: "changed",
      before: before.hash,
      after: after.hash,
      ...how,
    });
  }
  return diffs;
}

export interface StoredTools {
  /** The writes. Each prefix of the list leaves a valid state. */
  ops: WriteOp[];
  /** The names of the tools whose changed definitions people must be notified of. */
  markForNotice: string[];
}

/** The writes that turn the stored tools of a server into the listed ones. */
export async function storeTools(
  self: Self,
  server: ServerDoc,
  listed: readonly ListedTool[],
  now: Date,
): Promise<StoredTools> {
  const { workspaceId, id: serverId } = server;
  const docs = self.store.tenant(tools, workspaceId);
  const index = self.search.tenant("tool", workspaceId).ops;
  const { added, removed, changed } = compareTools(await toolsOf(self, server), listed);
  const fresh = added.map((tool): ToolDoc => {
    const id = toolIdOf(server, tool.name);
    return { ...tool, id, workspaceId, serverId, createdAt: now, updatedAt: now };
  });
  // If there are too many differences, the first ones are kept.
  const differences = [
    ...(await diffsOf(changed)),
    ...removed.map(({ id, name, hash }): Difference => {
      return { toolId: id, name, kind: "removed", before: hash, after: null, ...whole };
    }),
    ...fresh.map(({ id, name, hash }): Difference => {
      return { toolId: id, name, kind: "added", before: null, after: hash, ...whole };
    }),
  ];
  const history = await toolHistory(self, server, differences, now);
  const ops = [...history.ops, ...removed.flatMap(({ id }) => [docs.ops.remove({ id }), ...index.remove(id)])];
  // The text of an index entry is made from the words of a whole schema.
  for (const [at, { before, after }] of changed.entries()) {
    if (at % AT_A_TIME === 0) await nextTurn();
    const fields = { ...after, updatedAt: now };
    const entry = entryOf({ ...before, ...fields }, server.name);
    ops.push(docs.ops.updateOne({ id: before.id }, { $set: fields }), ...index.put(entry));
  }
  for (const [at, doc] of fresh.entries()) {
    if (at % AT_A_TIME === 0) await nextTurn();
    ops.push(docs.ops.insert(doc), ...index.put(entryOf(doc, server.name)));
  }
  return { ops, markForNotice: history.markForNotice };
}
