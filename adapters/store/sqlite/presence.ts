import type { DatabaseSync } from "node:sqlite";
import { beginImmediate, pause, transact } from "./connection.ts";

interface Seen {
  beat: number;
  since: number;
  /** It has shown life since this process came. */
  alive: boolean;
}

/** How long a process believes what it last saw of the others. */
export const LOOK_MS = 100;
/** Longer than anybody may believe to be alone who looked before a newcomer was there to be seen. */
const HOLD_BACK_MS = 150;

/** Who is on the file: a row each, named by a number that is never given twice. No clock is shared: rows show life by changing. */
const TABLE = '"weft:processes"';
const CREATE = `CREATE TABLE IF NOT EXISTS ${TABLE} (n INTEGER PRIMARY KEY AUTOINCREMENT, beat INTEGER NOT NULL DEFAULT 0)`;
/** How many are there, the first of them, and the last that ever came. */
export const LOOK = `SELECT count(*), min(n), (SELECT seq FROM sqlite_sequence WHERE name = 'weft:processes') FROM ${TABLE}`;

/**
 * The writing end of this process's place on the file. Others that are alone there keep documents in memory, so nobody writes
 * without a row, nor before all who could have overlooked it have looked again. A row that did not change for `deadAfterMs`
 * is removed, inside of a transaction as all writes are: whoever was only slow finds that out before it writes again.
 */
export class Presence {
  readonly #database: DatabaseSync;
  readonly #self: Int32Array;
  readonly #deadAfterMs: number;
  #others = new Map<number, Seen>();
  #timer: NodeJS.Timeout | undefined;
  #n = 0;
  #beatAt = 0;
  #mayWriteAt = 0;

  /** `self` is where the calling thread reads this process's number. */
  constructor(database: DatabaseSync, self: Int32Array, deadAfterMs: number) {
    this.#database = database;
    this.#self = self;
    this.#deadAfterMs = deadAfterMs;
  }

  enter(): void {
    this.#enter();
    this.#timer ??= setInterval(() => this.#tick(), this.#beatMs);
  }

  leave(): void {
    clearInterval(this.#timer);
    try {
      this.#database.exec(`DELETE FROM ${TABLE} WHERE n = ${this.#n}`);
    } catch {
      // What stays is taken for dead in time.
    }
  }

  /** Nobody who is there came before. Right as long as a transaction lasts that writes. */
  isFirst(): boolean {
    return this.#rows().every(({ n }) => n >= this.#n);
  }

  /** Of somebody who came before it is not known yet whether it lives. It is after `deadAfterMs` at most. */
  isUnsure(): boolean {
    return this.#rows().some(({ n }) => n < this.#n && !this.#others.get(n)?.alive);
  }

  /** Begins a transaction that may write documents. */
  begin(): void {
    for (let attempt = 0; attempt < 3; attempt++) {
      if (performance.now() - this.#beatAt >= this.#beatMs) this.#beat();
      const early = this.#mayWriteAt - performance.now();
      if (early > 0) pause(early);
      beginImmediate(this.#database);
      // Waiting for the file may have taken long, but from here on nobody removes the row.
      if (performance.now() - this.#beatAt < this.#deadAfterMs / 2) return;
      this.#database.exec("ROLLBACK");
    }
    throw new Error("the store's file is never free for long enough");
  }

  /** Inside of a transaction that may write documents: writes this process's row, which takes a place on the disk. */
  touch(): void {
    this.#database.exec(`UPDATE ${TABLE} SET beat = beat + 1 WHERE n = ${this.#n}`);
  }

  get #beatMs(): number {
    return this.#deadAfterMs / 10;
  }

  #enter(): void {
    transact(this.#database, () => {
      this.#beatAt = performance.now();
      this.#database.exec(CREATE);
      this.#n = Number(this.#database.prepare(`INSERT INTO ${TABLE} DEFAULT VALUES`).run().lastInsertRowid);
    });
    Atomics.store(this.#self, 0, this.#n);
    this.#mayWriteAt = this.#rows().length > 1 ? performance.now() + HOLD_BACK_MS : 0;
  }

  /** While nobody is there to see it, an idle process writes nothing. */
  #tick(): void {
    try {
      if (this.#rows().some(({ n }) => n !== this.#n)) this.#beat();
    } catch {
      // The next tick or write tries again, and the write says what is wrong.
    }
  }

  #beat(): void {
    let here = false;
    transact(this.#database, () => {
      const now = performance.now();
      const others = this.#others;
      this.#others = new Map();
      for (const { n, beat } of this.#rows()) {
        const before = others.get(n);
        const seen = before?.beat === beat ? before : { beat, since: now, alive: before !== undefined };
        if (n === this.#n) here = true;
        else if (now - seen.since < this.#deadAfterMs) this.#others.set(n, seen);
        else this.#database.exec(`DELETE FROM ${TABLE} WHERE n = ${n}`);
      }
      this.touch();
      if (here) this.#beatAt = now;
    });
    if (!here) this.#enter();
  }

  #rows(): { n: number; beat: number }[] {
    return this.#database.prepare(`SELECT n, beat FROM ${TABLE}`).all() as { n: number; beat: number }[];
  }
}
