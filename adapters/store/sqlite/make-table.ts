import type { DatabaseSync } from "node:sqlite";
import { transact } from "./connection.ts";
import type { TablePlan } from "./protocol.ts";

/** Makes a table, or gives it what a newer schema has more. Several processes may do it at once. */
export function makeTable(database: DatabaseSync, plan: TablePlan): void {
  transact(database, () => {
    database.exec(plan.create);
    const present = new Set(names(database, `SELECT name FROM pragma_table_xinfo('${plan.table}')`));
    for (const [name, definition] of Object.entries(plan.columns))
      if (!present.has(name)) database.exec(`ALTER TABLE "${plan.table}" ADD COLUMN ${definition}`);
    const wanted = new Set(Object.keys(plan.indexes));
    const made = names(database, `SELECT name FROM pragma_index_list('${plan.table}') WHERE origin = 'c'`);
    for (const name of made) if (!wanted.has(name)) database.exec(`DROP INDEX "${name}"`);
    for (const sql of Object.values(plan.indexes)) database.exec(sql);
  });
}

const names = (database: DatabaseSync, sql: string): string[] =>
  database
    .prepare(sql)
    .all()
    .map(row => String(row.name));
