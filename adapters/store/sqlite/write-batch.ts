import type { DatabaseSync } from "node:sqlite";
import { applyChange, ChangeError } from "./apply-change.ts";
import { isBusy, sqliteCode } from "./connection.ts";
import type {
  Row,
  Sql,
  SqlValue,
  TablePlan,
  WireChange,
  WireFailure,
  WireOp,
  WireOutcome,
  WireReply,
} from "./protocol.ts";
import type { Statements } from "./statements.ts";

const SQLITE_CONSTRAINT = 19;

class OpFailure extends Error {
  readonly failure: Omit<WireFailure, "op">;
  constructor(failure: Omit<WireFailure, "op">) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The writer's connection and its statements. */
export interface Writing {
  database: DatabaseSync;
  statements: Statements;
  /** For each table, the paths of its key columns' values in a document. */
  keys: Map<string, TablePlan["keys"]>;
}

/**
 * Group commit: one transaction for all groups of operations. A failed group leaves no trace and does not affect the
 * others.
 */
export function writeBatch(writing: Writing, begin: () => void, groups: readonly WireOp[][]): WireReply[] {
  // For a savepoint, SQLite copies each page that a group changes, into a file if there are many. Few groups fail, so
  // savepoints are made only once one has failed.
  return transaction(writing, begin, groups, false) ?? (transaction(writing, begin, groups, true) as WireReply[]);
}

/** Returns null, and leaves no trace, if a failed group can only be undone with a savepoint and none was made. */
function transaction(
  writing: Writing,
  begin: () => void,
  groups: readonly WireOp[][],
  savepoints: boolean,
): WireReply[] | null {
  const { database } = writing;
  const replies: WireReply[] = [];
  try {
    begin();
    for (const ops of groups) {
      const reply = writeGroup(writing, ops, savepoints);
      if (reply === null) {
        database.exec("ROLLBACK");
        return null;
      }
      replies.push(reply);
    }
    database.exec("COMMIT");
    return replies;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    const failure: WireFailure = { reason: isBusy(error) ? "busy" : "failed", message: messageOf(error), op: 0 };
    // Nothing was committed. Groups that failed on their own keep their own reason.
    return groups.map((_, place) => {
      const reply = replies[place];
      return reply && "failure" in reply ? reply : { failure };
    });
  }
}

/** Whether a failure of the first operation leaves nothing to undo: SQLite undoes a single statement that fails. */
function failsCleanly(ops: readonly WireOp[]): boolean {
  const [first] = ops;
  // An insert of several documents on its own keeps those without a conflict.
  if (first?.kind === "insert") return first.rows.length === 1 || ops.length === 1;
  return first?.kind === "remove" || (first?.kind === "update" && first.fetch === null);
}

function writeGroup(writing: Writing, ops: readonly WireOp[], savepoints: boolean): WireReply | null {
  const { database } = writing;
  const cleanly = failsCleanly(ops);
  const savepoint = savepoints && (ops.length > 1 || !cleanly);
  if (savepoint) database.exec("SAVEPOINT write_group");
  const outcomes: WireOutcome[] = [];
  try {
    for (const op of ops) outcomes.push(writeOp(writing, op));
    if (savepoint) database.exec("RELEASE write_group");
    return outcomes;
  } catch (error) {
    // The disk is full or failing: SQLite has rolled back the whole transaction.
    if (!database.isTransaction) throw error;
    if (savepoint) database.exec("ROLLBACK TO write_group; RELEASE write_group");
    else if (outcomes.length > 0 || !cleanly) return null;
    return { failure: { ...failureOf(error), op: outcomes.length } };
  }
}

function writeOp({ statements, keys }: Writing, op: WireOp): WireOutcome {
  switch (op.kind) {
    case "insert":
      return insert(statements, op, keys.get(op.table) ?? []);
    case "update":
      return update(statements, op);
    case "remove":
      return run(statements, op.remove);
    case "index":
      return op.statements.reduce((changes, sql) => changes + run(statements, sql), 0);
  }
}

const run = (statements: Statements, { text, params }: Sql): number =>
  Number(statements.get(text).run(...params).changes);

function insert(statements: Statements, op: WireOp & { kind: "insert" }, keys: TablePlan["keys"]): WireOutcome {
  for (const { text, params, conflict } of op.taken) {
    // No other connection writes before this transaction ends.
    if (statements.get(text).get(...params) !== undefined)
      throw new OpFailure({ reason: "conflict", message: conflict, rows: [0] });
  }
  const statement = statements.get(op.sql);
  const rows: number[] = [];
  let message = "";
  for (const [place, row] of op.rows.entries()) {
    try {
      statement.run(...row, ...(keys.length > 0 ? keyValues(JSON.parse(row[1] as string), keys) : []));
    } catch (error) {
      if (sqliteCode(error) !== SQLITE_CONSTRAINT) throw error;
      message ||= messageOf(error);
      rows.push(place);
    }
  }
  if (rows.length > 0) throw new OpFailure({ reason: "conflict", message, rows });
  return op.rows.length;
}

/** The same values as `json_extract`. */
const keyValues = (document: unknown, keys: readonly (readonly string[])[]): SqlValue[] =>
  keys.map(path => {
    const value = path.reduce<unknown>(
      (node, key) => (node as Record<string, unknown> | null | undefined)?.[key],
      document,
    );
    return typeof value === "boolean" ? Number(value) : ((value ?? null) as SqlValue);
  });

function update(statements: Statements, op: WireOp & { kind: "update" }): WireOutcome {
  const select = statements.get(op.select.text);
  const fetch = op.fetch === null ? null : statements.get(op.fetch);
  const write = statements.get(op.update.text);
  const change = JSON.parse(op.change) as WireChange;
  const found = fetch ? select.all(...op.select.params) : [select.get(...op.select.params)];
  let count = 0;
  for (const [rowid, ...selected] of found.filter(row => row !== undefined) as unknown as [number, ...Row][]) {
    const row = fetch ? (fetch.get(rowid) as unknown as Row) : selected;
    const doc = row[0] as string;
    const document = JSON.parse(doc) as Record<string, unknown>;
    applyChange(document, change);
    const changed = JSON.stringify(document);
    if (changed !== doc || op.update.params.length > 0)
      write.run(changed, ...op.update.params, ...keyValues(document, change.keys), rowid);
    count++;
    if (op.returning) return [changed, ...row.slice(1)];
  }
  if (op.required && count === 0) throw new OpFailure({ reason: "not_matched", message: "no document matched" });
  return count;
}

function failureOf(error: unknown): Omit<WireFailure, "op"> {
  if (error instanceof OpFailure) return error.failure;
  if (error instanceof ChangeError) return { reason: "change", message: error.message };
  if (sqliteCode(error) === SQLITE_CONSTRAINT) return { reason: "conflict", message: messageOf(error) };
  return { reason: "failed", message: messageOf(error) };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
