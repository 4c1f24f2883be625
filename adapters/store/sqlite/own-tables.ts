import type { DatabaseSync, StatementSync } from "node:sqlite";
import { compareTable, derivesOther, makeTable, OtherTablesError } from "./make-table.ts";
import type { TablePlan } from "./protocol.ts";

/** The tables that this process writes, and whether they are still as it made or found them. */
export class OwnTables {
  /** Of each table, where the values of its key columns are in a document. */
  readonly keys = new Map<string, TablePlan["keys"]>();
  readonly #database: DatabaseSync;
  readonly #version: StatementSync;
  readonly #plans = new Map<string, TablePlan>();
  /** SQLite's own count of the changes of all tables, as it was when all of these were right. */
  #seen: unknown = null;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#version = database.prepare("PRAGMA schema_version");
    this.#version.setReturnArrays(true);
  }

  /** See `makeTable`. OtherTablesError. */
  make(plan: TablePlan, isFirst: () => boolean): void {
    makeTable(this.#database, plan, isFirst);
    this.#plans.set(plan.table, plan);
    this.keys.set(plan.table, plan.keys);
    this.#seen = null;
  }

  /**
   * Inside of a transaction, before anything is written: a process that was taken for dead may find that another version has
   * changed the tables since. OtherTablesError.
   */
  check(): void {
    const [version] = this.#version.get() as unknown as [number];
    if (version === this.#seen) return;
    for (const plan of this.#plans.values())
      if (derivesOther(compareTable(this.#database, plan))) throw new OtherTablesError(plan.table);
    this.#seen = version;
  }
}
