import type { DatabaseSync } from "node:sqlite";
import { beginImmediate, pause, transact } from "./connection.ts";

interface Seen {
  beat: number;
  since: number;
  /** Whether the other process has shown activity since this process came. */
  alive: boolean;
}

/** How long a process relies on its last check of the others, in ms. */
export const LOOK_MS = 100;
/**
 * How long a newcomer waits before it writes, in ms. It is longer than LOOK_MS, during which others may still believe
 * that they are alone.
 */
const HOLD_BACK_MS = 150;

/**
 * The processes on the file, one row each, with unique numbers. They share no clock, so a process shows that it is
 * alive by changing its row.
 */
const TABLE = '"weft:processes"';
const CREATE = `CREATE TABLE IF NOT EXISTS ${TABLE} (n INTEGER PRIMARY KEY AUTOINCREMENT, beat INTEGER NOT NULL DEFAULT 0)`;
/** The number of processes, the first of them, and the last that ever came. */
export const COUNT_PROCESSES = `SELECT count(*), min(n), (SELECT seq FROM sqlite_sequence WHERE name = 'weft:processes') FROM ${TABLE}`;

/**
 * The writing side of this process's row on the file. A process that is alone keeps documents in memory. So every
 * process adds a row before it writes, and waits until all processes that may have missed the row have checked again. A
 * row that has not changed for `deadAfterMs` is removed, in a transaction like every write: a process that was only
 * slow notices this before it writes again.
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

  /** The calling thread reads this process's number from `self`. */
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
      // Other processes remove the row when they consider this process dead.
    }
  }

  /** Whether no present process came before this one. Holds for the duration of a writing transaction. */
  isFirst(): boolean {
    return this.#rows().every(({ n }) => n >= this.#n);
  }

  /** Whether it is unknown if an earlier process is alive. It is known after at most `deadAfterMs`. */
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
      // The wait for the file may have been long, but from now on no process can remove the row.
      if (performance.now() - this.#beatAt < this.#deadAfterMs / 2) return;
      this.#database.exec("ROLLBACK");
    }
    throw new Error("the store's file is never free for long enough");
  }

  /**
   * Writes this process's row, which takes space on the disk. Call it inside a transaction that may write documents.
   */
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

  /** An idle process writes nothing while no other process is present. */
  #tick(): void {
    try {
      if (this.#rows().some(({ n }) => n !== this.#n)) this.#beat();
    } catch {
      // The next tick or write tries again, and the write reports the failure.
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
