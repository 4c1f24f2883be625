import type { CheckedChange } from "../change.ts";
import type { FreeValues, SqlParam, WriteOp } from "../driver.ts";
import type { Field } from "../fields.ts";
import type { Index, Layout } from "../layout.ts";
import { decodeRow, encodeDocument, columns, insertSql, withTimesAt } from "./documents.ts";
import type { Row, Sql, WireChange, WireOp } from "./protocol.ts";
import { literalWhere } from "./tables.ts";
import { columnOf, jsonColumn, orderBy, tableOf, where } from "./sql.ts";

/** The SQL of a validated write. */
export function encodeWrite(op: WriteOp): WireOp {
  switch (op.kind) {
    case "insert":
      return {
        kind: "insert",
        table: op.layout.name,
        sql: insertSql(op.layout),
        rows: op.docs.map(doc => encodeDocument(op.layout, doc)),
        taken: op.passing ? takenSql(op.layout, op.passing) : [],
      };
    case "remove":
      return { kind: "remove", remove: removeSql(op) };
    case "update":
      return encodeUpdate(op);
    case "index":
      return { kind: "index", statements: op.statements.map(({ text, params }) => ({ text, params: [...params] })) };
  }
}

const known = new WeakMap<Index, { text: string; conflict: string }>();

/** A query for the values of a unique index. Its conflict has SQLite's message for a conflict of the index. */
function takenOf(layout: Layout, index: Index): { text: string; conflict: string } {
  let taken = known.get(index);
  if (!taken) {
    const fields = index.keys.map(([path]) => path);
    const partial = index.partial ? ` AND ${literalWhere(index.partial)}` : "";
    const equal = fields.map(path => `${columnOf(layout.fields.get(path)!)} = ?`).join(" AND ");
    const conflict = `UNIQUE constraint failed: ${fields.map(path => `${layout.name}.${path}`).join(", ")}`;
    taken = { text: `SELECT 1 FROM ${tableOf(layout)} WHERE ${equal}${partial} LIMIT 1`, conflict };
    known.set(index, taken);
  }
  return taken;
}

const takenSql = (layout: Layout, { taken }: FreeValues) =>
  taken.map(({ index, values }) => ({ ...takenOf(layout, index), params: [...values] }));

function removeSql({ layout, where: condition, limit }: WriteOp & { kind: "remove" }): Sql {
  const { text, params } = where(layout, condition);
  const table = tableOf(layout);
  if (limit === null) return { text: `DELETE FROM ${table} WHERE ${text}`, params };
  const chosen = `SELECT rowid FROM ${table} WHERE ${text} ORDER BY _id LIMIT ?`;
  return { text: `DELETE FROM ${table} WHERE rowid IN (${chosen})`, params: [...params, limit] };
}

function encodeUpdate(op: WriteOp & { kind: "update" }): WireOp {
  const { layout, change } = op;
  const table = tableOf(layout);
  const { text, params } = where(layout, op.where);
  const wanted = op.returning ? columns(layout) : "doc";
  const json = [...change.setJson, ...change.unsetJson.map(field => [field, null] as const)];
  const keys = keysIn(layout, change);
  const sets = [...json.map(([field]) => jsonColumn(field)), ...keys.map(columnOf)].map(column => `, ${column} = ?`);
  return {
    kind: "update",
    select: {
      text: op.many
        ? `SELECT rowid FROM ${table} WHERE ${text}`
        : `SELECT rowid, ${wanted} FROM ${table} WHERE ${text} ORDER BY ${orderBy(op.sort)} LIMIT 1`,
      params,
    },
    fetch: op.many ? `SELECT doc FROM ${table} WHERE rowid = ?` : null,
    update: {
      text: `UPDATE ${table} SET doc = ?${sets.join("")} WHERE rowid = ?`,
      params: json.map(([, value]) => value),
    },
    change: JSON.stringify({
      set: change.set.map(([path, value]) => [path, withTimesAt(value)]),
      unset: change.unset,
      inc: change.inc,
      push: change.push,
      keys: keys.map(field => field.keys),
    } satisfies WireChange),
    required: op.required,
    returning: op.returning,
  };
}

/** The indexed fields that a change may affect. */
function keysIn(layout: Layout, { set, unset, inc, push }: CheckedChange): Field[] {
  const paths = [...unset, ...[...set, ...inc, ...push].map(([path]) => path)];
  return layout.indexed.filter(({ keys }) => paths.some(path => isWithin(keys, path)));
}

/** Whether a change names a field itself, or an object that contains it. */
const isWithin = (keys: readonly string[], path: readonly string[]): boolean =>
  path.every((key, depth) => keys[depth] === key);

/** The new document of an update. Its row still has the former free-form JSON. */
export function decodeUpdated(op: WriteOp & { kind: "update" }, row: Row): Record<string, unknown> {
  const { layout, change } = op;
  const now = [...row];
  const place = (field: string) => layout.json.indexOf(field) + 1;
  for (const [field, text] of change.setJson) now[place(field)] = text;
  for (const field of change.unsetJson) now[place(field)] = null;
  return decodeRow(layout, now);
}

/** The number of characters that a write adds to the writer's queue. The rest of the write is small. */
export function weightOf(ops: readonly WireOp[]): number {
  let weight = 0;
  for (const op of ops) {
    if (op.kind === "insert") for (const row of op.rows) weight += sizeOf(row);
    else if (op.kind === "update") weight += op.change.length + sizeOf(op.update.params);
    else if (op.kind === "index") for (const { params } of op.statements) weight += sizeOf(params);
  }
  return weight;
}

function sizeOf(values: readonly SqlParam[]): number {
  let size = 0;
  for (const value of values) size += typeof value === "number" ? 8 : (value?.length ?? 0);
  return size;
}
