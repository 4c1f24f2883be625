import { InvalidFilterError } from "../errors.ts";
import type { Condition } from "../filter.ts";
import type { Layout } from "../layout.ts";
import type { ColumnPlan, TablePlan } from "./protocol.ts";
import { columnOf, jsonColumn, jsonPath, quoted, tableOf, whereSql, type SqlValue } from "./sql.ts";

/**
 * Plans a table. The document is the truth, and filters use columns that are derived from it. A virtual column costs a
 * write nothing, but SQLite recomputes it for each index and updates all such indexes at every change. So indexed
 * fields are real columns, which are written with the document, and a change updates only the indexes whose columns it
 * names.
 *
 * The keys of an index ascend, since SQLite can read an index backwards. New documents have the greatest times and ids,
 * and SQLite fills its pages from the left: an index that begins with the newest document splits a page at every second
 * insert, and leaves its pages half empty. Indexes that already exist keep their directions.
 */
export function planTable(layout: Layout): TablePlan {
  const columns: Record<string, ColumnPlan> = {};
  for (const field of layout.fields.values()) {
    if (field.path === "id" || field.kind === "strings") continue;
    if (field.kind === "json") {
      columns[`json:${field.path}`] = { definition: `${jsonColumn(field.path)} TEXT`, kind: "json" };
      continue;
    }
    const [column, derivation] = [columnOf(field), `json_extract(doc, ${jsonPath(field)})`];
    columns[field.path] = layout.indexed.includes(field)
      ? { definition: column, kind: "key", derivation }
      : { definition: `${column} GENERATED ALWAYS AS (${derivation}) VIRTUAL`, kind: "virtual" };
  }
  const indexes: Record<string, string> = {};
  for (const index of layout.indexes) {
    const fields = index.keys.map(([path]) => layout.fields.get(path));
    // SQLite cannot index the items of a list. Such filters read the documents instead.
    if (fields.some(field => field?.kind === "strings")) continue;
    const name = quoted(`${layout.name}:${index.name}`);
    const keys = index.keys.map(([path, direction]) => {
      const column = path === "id" ? "_id" : quoted(path);
      return index.mixed && direction < 0 ? `${column} DESC` : column;
    });
    const partial = index.partial ? ` WHERE ${literalWhere(index.partial)}` : "";
    indexes[`${layout.name}:${index.name}`] =
      `CREATE ${index.unique ? "UNIQUE " : ""}INDEX IF NOT EXISTS ${name} ON ${tableOf(layout)} (${keys.join(", ")})${partial}`;
  }
  return {
    table: layout.name,
    columns,
    keys: layout.indexed.map(field => field.keys),
    indexes,
  };
}

export function literalWhere(condition: Condition): string {
  const params: SqlValue[] = [];
  const text = whereSql(condition, params, () => true);
  if (params.length > 0) throw new InvalidFilterError("a partial index compares with something that has no literal");
  return text;
}
