import { handle } from "../../contracts/call.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import { sweepTombstones } from "../../service-kit/tombstone.ts";
import { apiDocuments, changes, type ServerDoc, servers, tools } from "./model.ts";
import type { Self } from "./service.ts";

/** Purges all tool servers of a workspace that is being deleted. */
export const purge = handle<"mcp.purge", Self>("mcp.purge", async function (ctx) {
  const { workspaceId } = ctx.params;
  const all = this.store.tenant(servers, workspaceId);
  const { items } = await all.find({}, { limit: 1_000 });
  await removeAll(all, {});
  await removeAll(this.store.tenant(tools, workspaceId), {});
  await removeAll(this.store.tenant(changes, workspaceId), {});
  await removeAll(this.store.tenant(apiDocuments, workspaceId), {});
  await this.search.tenant("tool", workspaceId).removeAll();
  await Promise.all(items.map(({ id }) => this.clients.forget(id)));
  return null;
});

/** Purges leftovers of deleted servers. */
export async function sweepServers(this: Self, now: Date): Promise<void> {
  const { store, search, clients, logger } = this;
  const purgeServer = async ({ id: serverId, workspaceId }: ServerDoc) => {
    await clients.forget(serverId);
    await removeAll(store.tenant(tools, workspaceId), { serverId });
    await removeAll(store.tenant(changes, workspaceId), { serverId });
    await removeAll(store.tenant(apiDocuments, workspaceId), { id: serverId });
    await search.tenant("tool", workspaceId).removeAll({ server: serverId });
  };
  await sweepTombstones(store.acrossTenants(servers), now, purgeServer, logger);
}
