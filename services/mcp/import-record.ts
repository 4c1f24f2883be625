import { v7 as uuid } from "uuid";
import { handle } from "../../contracts/call.ts";
import { insertRecordOnce } from "../../service-kit/archive.ts";
import { ensureLimit } from "../../service-kit/limit.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type ServerDoc, servers } from "./model.ts";
import type { Self } from "./service.ts";

/** An archived server has no credential. So only a server that needs none is called at once. */
export const importRecord = handle<"mcp.takeOver", Self>("mcp.takeOver", async function (ctx) {
  const { workspaceId, userId, record } = ctx.params;
  const { id, name, url, authType, agents, createdAt } = record;
  const all = this.store.tenant(servers, workspaceId);
  if (await all.get({ id, ...ALIVE })) return { made: false };
  await ensureLimit("mcp_servers", workspaceId, all, { ...ALIVE });
  const now = new Date();
  const server: ServerDoc = {
    ...{ id, workspaceId, name, url, authType, agents, revision: uuid(), version: 1, status: "unknown" },
    ...(authType === "none" && { syncAt: now }),
    ...{ failures: 0, toolCount: 0, droppedTools: [], newsCount: 0, news: [] },
    // The ids of the tools are derived from this time.
    ...{ createdBy: userId, createdAt: new Date(createdAt), updatedAt: now },
  };
  const made = await insertRecordOnce(
    () => all.insert(server),
    () => all.get({ id, ...ALIVE }),
  );
  if (made && authType === "none") this.syncs.start(server);
  return { made };
});
