import type { DatabaseSync } from "node:sqlite";
import type { Payload } from "../../../core/search/payload.ts";
import { Statements } from "../../store/sqlite/statements.ts";
import type { Embedder, EmbedderState, IndexedEntry, SearchKind, UnembeddedEntry } from "../port.ts";
import { digest } from "../revision.ts";
import { ENTRIES_OF_SPACE, LAGGING_ENTRIES, NEXT_EMBEDDED, NEXT_SPACE } from "./statements.ts";

type Value = string | number | null;
/** The number of workspaces that share one batch of unembedded entries. */
const SPACES = 32;
const ENTRY = `SELECT n, workspace, id, revision, payload FROM "search:entries"`;

/** The queries of the search thread besides searches. */
export class Lookups {
  readonly #statements: Statements;

  constructor(database: DatabaseSync) {
    this.#statements = new Statements(database);
  }

  /**
   * The index's number for this model, and whether the model is searched by default. Null when the index has no vectors
   * of it.
   */
  generation(kind: SearchKind, { id, dimension }: Embedder): { g: number; active: boolean } | null {
    const sql = `SELECT g, active FROM "search:embedders" WHERE kind = ? AND embedder = ? AND dimension = ?`;
    const [row] = this.#all(sql, kind, id, dimension);
    return row ? { g: Number(row[0]), active: row[1] === 1 } : null;
  }

  embedders(kind: SearchKind): EmbedderState {
    const sql = `SELECT embedder, dimension, active FROM "search:embedders" WHERE kind = ? ORDER BY g DESC`;
    const state: EmbedderState = { active: null, building: null };
    for (const [id, dimension, active] of this.#all(sql, kind))
      state[active === 1 ? "active" : "building"] ??= { id: String(id), dimension: Number(dimension) };
    return state;
  }

  unembedded(kind: SearchKind, limit: number): UnembeddedEntry[] {
    const waiting = this.#all(LAGGING_ENTRIES, kind, kind, kind, limit);
    if (waiting.length < limit) return waiting.map(unembeddedOf);
    const chosen = this.#waitingSpaces(kind);
    const share = Math.ceil(limit / chosen.length);
    const drawn = chosen.flatMap(({ embedded, space }) => this.#all(ENTRIES_OF_SPACE, kind, embedded, space, share));
    const all = new Map([...drawn, ...waiting].map(row => [`${row[0]} ${row[1]}`, row]));
    return [...all.values()].slice(0, limit).map(unembeddedOf);
  }

  /** A random sample of the workspaces with waiting entries. */
  #waitingSpaces(kind: SearchKind): { embedded: number; space: string }[] {
    const [[newest = null] = []] = this.#all(`SELECT max(g) FROM "search:embedders" WHERE kind = ?`, kind);
    const chosen: { embedded: number; space: string }[] = [];
    for (let embedded = this.#next(NEXT_EMBEDDED, kind, -1); embedded !== null;) {
      if (embedded !== newest) chosen.push(...this.#spacesFrom(kind, Number(embedded)));
      embedded = this.#next(NEXT_EMBEDDED, kind, embedded);
    }
    return chosen.sort(() => Math.random() - 0.5).slice(0, SPACES);
  }

  /** Walks the index from a random place, and wraps around at its end. */
  #spacesFrom(kind: SearchKind, embedded: number): { embedded: number; space: string }[] {
    const start = digest(`${Math.random()}`, 12);
    const found = new Set<string>();
    let around = false;
    for (let space = start; found.size < SPACES;) {
      const next = this.#next(NEXT_SPACE, kind, embedded, space);
      if (next === null ? around : found.has(String(next))) break;
      if (next === null) around = true;
      else found.add(String(next));
      space = next === null ? "" : String(next);
    }
    return [...found].map(space => ({ embedded, space }));
  }

  #next(sql: string, ...params: (string | number)[]): Value {
    return this.#all(sql, ...params)[0]?.[0] ?? null;
  }

  entries(kind: SearchKind, after: number, limit: number): { items: IndexedEntry[]; next: number | null } {
    const rows = this.#all(`${ENTRY} WHERE kind = ? AND n > ? ORDER BY n LIMIT ?`, kind, after, limit);
    return { items: rows.map(entryOf), next: rows.length === limit ? Number(rows.at(-1)?.[0]) : null };
  }

  held(wanted: readonly { space: string; id: string }[]): IndexedEntry[] {
    return wanted.flatMap(({ space, id }) => this.#all(`${ENTRY} WHERE space = ? AND id = ?`, space, id).map(entryOf));
  }

  leftovers(): number[] {
    const used = new Set(this.#all(`SELECT g FROM "search:embedders"`).map(([g]) => Number(g)));
    const found: number[] = [];
    // Jumps from one number to the next in the index, instead of scanning all vectors.
    for (let g: number | null = 0; g !== null;) {
      const next: Value = this.#next(`SELECT min(g) FROM "search:vectors" WHERE g > ?`, g);
      g = next === null ? null : Number(next);
      if (g !== null && !used.has(g)) found.push(g);
    }
    return found;
  }

  ping(): null {
    this.#all(`SELECT 1 FROM "search:entries" LIMIT 1`);
    return null;
  }

  #all(sql: string, ...params: (string | number)[]): Value[][] {
    return this.#statements.get(sql).all(...params) as unknown as Value[][];
  }
}

const unembeddedOf = ([workspaceId, id, text, revision]: Value[]): UnembeddedEntry => ({
  workspaceId: String(workspaceId),
  id: String(id),
  text: String(text),
  revision: String(revision),
});

const entryOf = ([, workspaceId, id, revision, payload]: Value[]): IndexedEntry => ({
  workspaceId: String(workspaceId),
  id: String(id),
  revision: String(revision),
  payload: JSON.parse(String(payload)) as Payload,
});
