import type { Clause } from "../../../core/search/payload.ts";
import type { SearchMode } from "../../../core/search/score.ts";
import type { EmbedderState, IndexedEntry, SearchKind, SearchResult, UnembeddedEntry } from "../port.ts";

/** What the search thread is asked, and what it answers. */
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
  /** Models of which vectors are left but that no kind uses any more. */
  leftovers: { asks: null; answer: number[] };
  ping: { asks: null; answer: null };
  close: { asks: null; answer: null };
}

export type Question = { [Q in keyof Questions]: { to: Q; asks: Questions[Q]["asks"] } }[keyof Questions];

/** `deadline` by `Date.now()`: what nobody waits for any more is not begun. */
export type Asked = Question & { n: number; deadline: number };
export type Answered = { n: number } & ({ answer: unknown } | { failure: string });

export interface ThreadSettings {
  file: string;
  cacheBytes: number;
}
