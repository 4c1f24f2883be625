import type { Clause } from "../../../core/search/payload.ts";
import type { SearchMode } from "../../../core/search/score.ts";
import type { EmbedderState, IndexedEntry, SearchKind, SearchResult, UnembeddedEntry } from "../port.ts";

/** The questions to the search thread, with their answers. */
export interface Questions {
  search: {
    asks: {
      kind: SearchKind;
      space: string;
      keywords: string[];
      vector: { embedder: string; values: Float32Array } | null;
      clauses: Clause[];
      limit: number;
      mode: SearchMode;
    };
    answer: SearchResult;
  };
  embedders: { asks: { kind: SearchKind }; answer: EmbedderState };
  unembedded: { asks: { kind: SearchKind; limit: number }; answer: UnembeddedEntry[] };
  entries: {
    asks: { kind: SearchKind; after: number; limit: number };
    answer: { items: IndexedEntry[]; next: number | null };
  };
  held: { asks: { wanted: { space: string; id: string }[] }; answer: IndexedEntry[] };
  /** The models that no kind uses any more, but that still have stored vectors. */
  leftovers: { asks: null; answer: number[] };
  ping: { asks: null; answer: null };
  close: { asks: null; answer: null };
}

export type SearchCall = { [Q in keyof Questions]: { to: Q; asks: Questions[Q]["asks"] } }[keyof Questions];

/** `deadline` is a time of `Date.now()`. A question is not started after it, because its caller has given up. */
export type SearchRequest = SearchCall & { n: number; deadline: number };
export type SearchReply = { n: number } & ({ answer: unknown } | { failure: string });

export interface ThreadSettings {
  file: string;
  cacheBytes: number;
}
