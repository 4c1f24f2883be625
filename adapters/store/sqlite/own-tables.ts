import type { DatabaseSync, StatementSync } from "node:sqlite";
import { compareTable, derivesOther, makeTable, OtherTablesError } from "./make-table.ts";
import type { TablePlan } from "./protocol.ts";

/** The tables that this process writes, and whether they have changed since this process created or found them. */
export class OwnTables {
  /** For each table, the paths of its key columns' values in a document. */
  readonly keys = new Map<string, TablePlan["keys"]>();
  readonly #database: DatabaseSync;
  readonly #version: StatementSync;
  readonly #plans = new Map<string, TablePlan>();
  /** SQLite's change counter of the schema when all tables were last found correct. */
  #seen: unknown = null;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#version = database.prepare("PRAGMA schema_version");
    this.#version.setReturnArrays(true);
  }

  /**
   * Like `makeTable`.
   * @throws {OtherTablesError} when another process may still write with another plan.
   */
  make(plan: TablePlan, isFirst: () => boolean): void {
    makeTable(this.#database, plan, isFirst);
    this.#plans.set(plan.table, plan);
    this.keys.set(plan.table, plan.keys);
    this.#seen = null;
  }

  /**
   * Checks the tables inside a transaction, before anything is written. Another version may have changed them while it
   * considered this process dead.
   * @throws {OtherTablesError} when a table has changed.
   */
  check(): void {
    const [version] = this.#version.get() as unknown as [number];
    if (version === this.#seen) return;
    for (const plan of this.#plans.values())
      if (derivesOther(compareTable(this.#database, plan))) throw new OtherTablesError(plan.table);
    this.#seen = version;
  }
}
