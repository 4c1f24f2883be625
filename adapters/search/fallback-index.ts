import type { Entry, Search, SearchHealth, SearchKind, SearchQuery, SearchResult, TenantIndex } from "./port.ts";

/** The part of an index that searches by words only. */
export type WordIndex = Pick<Search, "removeWorkspace" | "ping" | "close"> & {
  tenant(
    kind: SearchKind,
    workspaceId: string,
  ): Pick<TenantIndex, "put" | "remove" | "removeAll" | "search"> & { ops: Pick<TenantIndex["ops"], "put" | "remove"> };
};

const withoutVector = ({ id, text, payload }: Entry): Entry => ({ id, text, ...(payload && { payload }) });
const isAway = (error: unknown): boolean =>
  ["search_unavailable", "search_timeout"].includes((error as { code?: string }).code ?? "");

/**
 * Combines a server's index with a copy of the words in the store. While the server is unavailable or incomplete,
 * keywords are searched in the copy, and the result is marked as degraded.
 */
export class FallbackIndex implements Search {
  readonly #server: Search;
  readonly #words: WordIndex;

  constructor(server: Search, words: WordIndex) {
    this.#server = server;
    this.#words = words;
  }

  tenant(kind: SearchKind, workspaceId: string): TenantIndex {
    const server = this.#server.tenant(kind, workspaceId);
    const words = this.#words.tenant(kind, workspaceId);
    return {
      put: async entries => {
        await words.put(entries.map(withoutVector));
        await server.put(entries);
      },
      setVectors: updates => server.setVectors(updates),
      remove: async ids => {
        await words.remove(ids);
        await server.remove(ids);
      },
      removeAll: async filter => {
        await words.removeAll(filter);
        await server.removeAll(filter);
      },
      search: query => this.#search(query, server, words),
      ops: {
        put: entry => [...words.ops.put(withoutVector(entry)), ...server.ops.put(entry)],
        setVector: update => server.ops.setVector(update),
        remove: id => [...words.ops.remove(id), ...server.ops.remove(id)],
      },
    };
  }

  async removeWorkspace(workspaceId: string): Promise<void> {
    await this.#words.removeWorkspace(workspaceId);
    await this.#server.removeWorkspace(workspaceId);
  }

  useEmbedder(...asked: Parameters<Search["useEmbedder"]>) {
    return this.#server.useEmbedder(...asked);
  }

  embedders(kind: SearchKind) {
    return this.#server.embedders(kind);
  }

  begun(kind: SearchKind) {
    return this.#server.begun(kind);
  }

  filled(kind: SearchKind, making: string) {
    return this.#server.filled(kind, making);
  }

  unembedded(...asked: Parameters<Search["unembedded"]>) {
    return this.#server.unembedded(...asked);
  }

  giveUp(...asked: Parameters<Search["giveUp"]>) {
    return this.#server.giveUp(...asked);
  }

  settle(kind: SearchKind) {
    return this.#server.settle(kind);
  }

  entries(...asked: Parameters<Search["entries"]>) {
    return this.#server.entries(...asked);
  }

  held(...asked: Parameters<Search["held"]>) {
    return this.#server.held(...asked);
  }

  async ping(): Promise<SearchHealth> {
    await this.#words.ping();
    return this.#server.ping();
  }

  version(): Promise<string | null> {
    return this.#server.version?.() ?? Promise.resolve(null);
  }

  async close(): Promise<void> {
    await this.#server.close();
    await this.#words.close();
  }

  async #search(
    query: SearchQuery,
    server: Pick<TenantIndex, "search">,
    words: Pick<TenantIndex, "search">,
  ): Promise<SearchResult> {
    const { text, filter, limit, mode } = query;
    try {
      return await server.search(query);
    } catch (error) {
      if (!isAway(error) || text === undefined || mode === "vector") throw error;
    }
    const { hits } = await words.search({ text, limit, mode: "keyword", ...(filter && { filter }) });
    return { hits, degraded: true };
  }
}
