import { bm25Among } from "../../core/search/bm25.ts";
import { keywordsMatch } from "../../core/search/keywords.ts";
import { tagOf, tagsOf, type Clause, type Payload } from "../../core/search/payload.ts";
import { bestResults } from "../../core/search/score.ts";
import { tokenise } from "../../core/search/tokenise.ts";
import { defineCollection, type DocumentOf } from "../store/define-collection.ts";
import { json, string, strings } from "../store/field-types.ts";
import { refusedPositions } from "../store/errors.ts";
import type { Filter, Store, WriteOp } from "../store/port.ts";
import { checkBatch, checkEntry, checkFilter, checkId, checkQuery } from "./check.ts";
import { UnknownEmbedderError } from "./errors.ts";
import type { WordIndex } from "./fallback-index.ts";
import {
  SEARCH_KINDS,
  type Entry,
  type SearchHealth,
  type SearchKind,
  type SearchQuery,
  type SearchResult,
} from "./port.ts";
import { digest } from "./revision.ts";

export const searchWords = defineCollection({
  name: "searchWords",
  tenant: true,
  fields: {
    kind: string<SearchKind>(),
    entryId: string(),
    /** In text order, with repetitions. */
    words: strings(),
    tags: strings(),
    payload: json(),
  },
  indexes: [[{ workspaceId: 1, kind: 1, words: 1 }]],
});
type Words = DocumentOf<typeof searchWords>;

/** Words beyond this number have no noticeable effect on the weights. */
const MAX_WORDS = 2000;
const MAX_LOOKED_AT = 1000;
const BATCH = 500;
const MAX_BATCHES = 100_000;
const MAX_TRIES = 5;

/**
 * The words of all entries as documents of the store. MongoDB answers keyword searches with them while Qdrant is
 * unavailable.
 */
export class WordMirror implements WordIndex {
  readonly #store: Store;
  readonly #onLost: (error: unknown) => void;

  private constructor(store: Store, onLost: (error: unknown) => void) {
    this.#store = store;
    this.#onLost = onLost;
  }

  /** Opens the mirror. Its `ops` are writes that follow the documents. `onLost` receives their failures. */
  static async open(store: Store, onLost: (error: unknown) => void): Promise<WordMirror> {
    await store.register([searchWords]);
    return new WordMirror(store, onLost);
  }

  tenant(kind: SearchKind, workspaceId: string): ReturnType<WordIndex["tenant"]> {
    const docs = this.#store.tenant(searchWords, checkId(workspaceId, "a workspace's id"));
    const keyOf = (id: string) => digest([workspaceId, kind, checkId(id)], 16);
    const later = (work: () => Promise<void>): WriteOp[] => [
      { kind: "index", statements: [], after: () => work().catch(this.#onLost) },
    ];
    const docOf = (entry: Entry): Words => {
      const { id, text, payload } = checkEntry(entry, embedder => {
        throw new UnknownEmbedderError(embedder);
      });
      const words = tokenise(text).slice(0, MAX_WORDS);
      return { id: keyOf(id), workspaceId, kind, entryId: id, words, tags: tagsOf(payload), payload };
    };
    const put = async (given: readonly Words[]): Promise<void> => {
      let wanted = [...new Map(given.map(doc => [doc.id, doc])).values()];
      for (let tries = 0; wanted.length > 0 && tries < MAX_TRIES; tries++) {
        await docs.remove({ id: { $in: wanted.map(({ id }) => id) } });
        wanted = await docs.insertMany(wanted).then(
          () => [],
          (error: unknown) => {
            const refused = refusedPositions(error);
            if (!refused) throw error;
            // Another node inserted these documents after the removal. They are replaced again, so that the newest text
            // remains.
            return wanted.filter((_, place) => refused.includes(place));
          },
        );
      }
    };
    const remove = async (ids: readonly string[]): Promise<void> => {
      await docs.remove({ id: { $in: ids.map(keyOf) } });
    };
    return {
      put: async entries => {
        await put(checkBatch(entries).map(docOf));
      },
      remove: async ids => {
        await remove(checkBatch(ids));
      },
      removeAll: async filter => {
        const chosen = filterOf(kind, checkFilter(filter));
        for (let batch = 0; batch < MAX_BATCHES; batch++)
          if ((await docs.remove(chosen, { limit: BATCH })) < BATCH) return;
      },
      search: query => this.#search(kind, workspaceId, query),
      ops: {
        put: entry => {
          const checked = [docOf(entry)];
          return later(() => put(checked));
        },
        remove: id => later(() => remove([checkId(id)])),
      },
    };
  }

  async removeWorkspace(workspaceId: string): Promise<void> {
    for (const kind of SEARCH_KINDS) await this.tenant(kind, workspaceId).removeAll();
  }

  async ping(): Promise<SearchHealth> {
    await this.#store.ping();
    return "ok";
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #search(kind: SearchKind, workspaceId: string, query: SearchQuery): Promise<SearchResult> {
    const { keywords, clauses, limit, mode } = checkQuery(query, id => {
      throw new UnknownEmbedderError(id);
    });
    const chosen = { $and: [filterOf(kind, clauses), { words: { $in: keywords } }] };
    const { items } = await this.#store.tenant(searchWords, workspaceId).find(chosen, { limit: MAX_LOOKED_AT });
    const held = items.filter(({ words }) => keywordsMatch(keywords, words));
    const weights = bm25Among(
      keywords,
      held.map(({ words }) => words),
    );
    const hits = held.map(({ entryId, payload }, place) => {
      return { id: entryId, payload: payload as Payload, cosine: null, keyword: true, bm25: weights[place] ?? 0 };
    });
    return { hits: bestResults(mode, hits, limit), degraded: false };
  }
}

const filterOf = (kind: SearchKind, clauses: readonly Clause[]): Filter<Words> => ({
  $and: [
    { kind },
    ...clauses.map(({ key, not, values }): Filter<Words> => {
      const tags = values.map(value => tagOf(key, value));
      return { tags: not ? { $nin: tags } : { $in: tags } };
    }),
  ],
});
