import type { Entry } from "../../adapters/search/port.ts";
import { toolText } from "../../core/mcp/tool-text.ts";
import { byWorkspace, type DocumentRef, type IndexedDocuments } from "../../service-kit/indexed-documents.ts";
import { currentEmbedder, vectorsOf } from "../../service-kit/model-vectors.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { servers, type ToolDoc, tools } from "./model.ts";
import type { Self } from "./service.ts";

/** Definitions are large, so pages are small. */
const PAGE = 100;

/** The index entry of a tool. */
export const entryOf = (tool: ToolDoc, serverName: string): Entry => ({
  id: tool.id,
  text: toolText(tool, serverName),
  payload: { server: tool.serverId },
});

/** The tools of existing servers. */
export const indexedTools: IndexedDocuments<Self> = {
  kind: "tool",

  embedder() {
    return currentEmbedder(this);
  },

  embed(texts) {
    return vectorsOf(this, texts);
  },

  async documents(after) {
    const { items, next } = await this.store.acrossTenants(tools).find({}, { limit: PAGE, after });
    const ids = [...new Set(items.map(({ serverId }) => serverId))];
    const owners =
      ids.length > 0
        ? this.store.acrossTenants(servers).find({ id: { $in: ids }, ...ALIVE }, { limit: PAGE })
        : { items: [] };
    const names = new Map((await owners).items.map(({ id, name }) => [id, name]));
    const entries = items.flatMap(tool => {
      const name = names.get(tool.serverId);
      return name === undefined ? [] : [{ workspaceId: tool.workspaceId, ...entryOf(tool, name) }];
    });
    return { items: entries, next };
  },

  async existing(refs) {
    const there: DocumentRef[] = [];
    for (const [workspaceId, some] of byWorkspace(refs)) {
      for (let from = 0; from < some.length; from += PAGE) {
        const ids = some.slice(from, from + PAGE).map(({ id }) => id);
        const { items } = await this.store.tenant(tools, workspaceId).find({ id: { $in: ids } }, { limit: PAGE });
        there.push(...items.map(({ id }) => ({ workspaceId, id })));
      }
    }
    return there;
  },
};
