import type { DatabaseSync, StatementSync } from "node:sqlite";

const MAX_STATEMENTS = 1000;

/** Prepared statements of one connection. The least recently used is dropped first. Rows are arrays. */
export class Statements {
  readonly #database: DatabaseSync;
  readonly #cache = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(sql: string): StatementSync {
    let statement = this.#cache.get(sql);
    if (statement && this.#cache.size < MAX_STATEMENTS / 2) return statement;
    if (statement) this.#cache.delete(sql);
    else {
      statement = this.#database.prepare(sql);
      statement.setReturnArrays(true);
      const [oldest] = this.#cache.size >= MAX_STATEMENTS ? this.#cache.keys() : [];
      if (oldest !== undefined) this.#cache.delete(oldest);
    }
    this.#cache.set(sql, statement);
    return statement;
  }
}
