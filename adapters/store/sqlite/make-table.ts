import type { DatabaseSync } from "node:sqlite";
import { transact } from "./connection.ts";
import type { ColumnPlan, TablePlan } from "./protocol.ts";

/** The mark of a virtual column in `pragma_table_xinfo`. */
const VIRTUAL = 2;

/** Another process derives other columns. Documents of either process would be missing from the other's indexes. */
export class OtherTablesError extends Error {
  override readonly name = "OtherTablesError";
  constructor(table: string) {
    super(`another version of Weft uses this store, and keeps "${table}" otherwise: one of the two has to be stopped`);
  }
}

/**
 * Creates a table, or adds the parts that a newer schema needs. Every derived column is then correct for existing rows.
 * Several processes may do so at the same time. Columns of other versions are changed only if `isFirst` is true: then
 * this process has used the file for longer than any other, so no process writes with another plan.
 * @throws {OtherTablesError} when another process may still write with another plan.
 */
export function makeTable(database: DatabaseSync, plan: TablePlan, isFirst: () => boolean): void {
  transact(database, () => {
    const { outdated, missing, isNew } = compareTable(database, plan);
    if (isNew) return create(database, plan);
    const mayChange = isFirst();
    if (derivesOther({ outdated, missing }) && !mayChange) throw new OtherTablesError(plan.table);
    const made = mayChange ? indexesOf(database, plan) : [];
    // An index on a column prevents the column's removal, so the indexes are dropped first.
    for (const name of made)
      if (outdated.length > 0 || !Object.hasOwn(plan.indexes, name)) database.exec(`DROP INDEX "${name}"`);
    for (const name of outdated) database.exec(`ALTER TABLE "${plan.table}" DROP COLUMN "${name}"`);
    const derived: string[] = [];
    for (const [name, { definition, derivation }] of missing) {
      database.exec(`ALTER TABLE "${plan.table}" ADD COLUMN ${definition}`);
      if (derivation) derived.push(`"${name}" = ${derivation}`);
    }
    if (derived.length > 0) database.exec(`UPDATE "${plan.table}" SET ${derived.join(", ")}`);
    for (const sql of Object.values(plan.indexes)) database.exec(sql);
  });
}

/** Creates all columns at once, because SQLite reads all tables again after each added column. */
function create(database: DatabaseSync, { table, columns, indexes }: TablePlan): void {
  const definitions = ["_id TEXT NOT NULL PRIMARY KEY", "doc TEXT NOT NULL"];
  for (const { definition } of Object.values(columns)) definitions.push(definition);
  database.exec(`CREATE TABLE "${table}" (${definitions.join(", ")})`);
  for (const sql of Object.values(indexes)) database.exec(sql);
}

interface Difference {
  /** The columns to remove. */
  outdated: string[];
  missing: [name: string, plan: ColumnPlan][];
}

/** Whether writes with this plan would leave other plans' columns wrong, or the reverse. */
export const derivesOther = ({ outdated, missing }: Difference): boolean =>
  outdated.length > 0 || missing.some(([, { derivation }]) => derivation !== undefined);

/** The columns to remove from a table, and those to add. */
export function compareTable(database: DatabaseSync, plan: TablePlan): Difference & { isNew: boolean } {
  const present = columnsOf(database, plan);
  const outdated = [...present].filter(([name, isVirtual]) => isOutdated(plan, name, isVirtual)).map(([name]) => name);
  const missing = Object.entries(plan.columns).filter(([name]) => !present.has(name) || outdated.includes(name));
  return { outdated, missing, isNew: present.size === 0 };
}

/** Whether an existing column does not belong to this plan. Free-form JSON stays, because it exists nowhere else. */
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
