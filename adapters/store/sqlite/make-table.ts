import type { DatabaseSync } from "node:sqlite";
import { transact } from "./connection.ts";
import type { TablePlan } from "./protocol.ts";

/** Of a column in `pragma_table_xinfo`. */
const VIRTUAL = 2;

/**
 * Makes a table, or gives it what a newer schema has more: every derived column is right for the rows that are there
 * already. Several processes may do it at once.
 */
export function makeTable(database: DatabaseSync, plan: TablePlan): void {
  transact(database, () => {
    database.exec(plan.create);
    const present = columnsOf(database, plan);
    const unlike = [...present].filter(([name, isVirtual]) => isOutdated(plan, name, isVirtual)).map(([name]) => name);
    const made = indexesOf(database, plan);
    // An index on a column that goes would be in its way.
    for (const name of made)
      if (unlike.length > 0 || !Object.hasOwn(plan.indexes, name)) database.exec(`DROP INDEX "${name}"`);
    for (const name of unlike) {
      database.exec(`ALTER TABLE "${plan.table}" DROP COLUMN "${name}"`);
      present.delete(name);
    }
    const derived: string[] = [];
    for (const [name, { definition, derivation }] of Object.entries(plan.columns)) {
      if (present.has(name)) continue;
      database.exec(`ALTER TABLE "${plan.table}" ADD COLUMN ${definition}`);
      if (derivation) derived.push(`"${name}" = ${derivation}`);
    }
    if (derived.length > 0) database.exec(`UPDATE "${plan.table}" SET ${derived.join(", ")}`);
    for (const sql of Object.values(plan.indexes)) database.exec(sql);
  });
}

/** Whether a column that is there is none of this plan. Free-form JSON stays: it stands nowhere else. */
function isOutdated({ columns }: TablePlan, name: string, isVirtual: boolean): boolean {
  const kind = Object.hasOwn(columns, name) ? columns[name]?.kind : undefined;
  if (kind === undefined) return !isVirtual && !["_id", "doc"].includes(name) && !name.startsWith("json:");
  return kind !== "json" && isVirtual !== (kind === "virtual");
}

function columnsOf(database: DatabaseSync, { table }: TablePlan): Map<string, boolean> {
  const rows = database.prepare(`SELECT name, hidden FROM pragma_table_xinfo('${table}')`).all();
  return new Map(rows.map(({ name, hidden }) => [String(name), hidden === VIRTUAL]));
}

function indexesOf(database: DatabaseSync, { table }: TablePlan): string[] {
  const rows = database.prepare(`SELECT name FROM pragma_index_list('${table}') WHERE origin = 'c'`).all();
  return rows.map(({ name }) => String(name));
}
