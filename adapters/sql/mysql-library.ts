import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import type { Connection, ConnectionOptions } from "mysql2";
import type { MysqlColumn } from "./mysql-values.ts";

/** The result of a statement without rows. */
export interface MysqlDone {
  affectedRows: number;
  insertId: number | string;
}

/** The parts of a connection that its types omit. */
export interface MysqlConnection extends Connection {
  stream: Socket;
  packetParser: { execute(bytes: Buffer): void };
  reset(done: (error: Error | null) => void): void;
}

/**
 * A running statement. It emits `fields` before its rows, and `result` for each row or at the end of a statement
 * without rows.
 */
export interface MysqlCommand extends EventEmitter {
  on(event: "fields", listener: (columns: MysqlColumn[] | undefined) => void): this;
  on(event: "result", listener: (row: unknown[] | MysqlDone) => void): this;
  on(event: "error", listener: (error: Error) => void): this;
  on(event: "end", listener: () => void): this;
}

export interface Mysql {
  connect(options: ConnectionOptions): MysqlConnection;
  /** Converts a value to a parameter. Whole numbers are bound as integers. */
  bound(value: unknown): unknown;
}

let loaded: Promise<Mysql> | undefined;

/** Loads the library at first use, because most nodes connect to no database. */
export const loadMysql = (): Promise<Mysql> => (loaded ??= load());

async function load(): Promise<Mysql> {
  const { default: mysql } = await import("mysql2");
  const { LONGLONG } = (mysql as unknown as { TypedParameter: { LONGLONG: (value: number) => unknown } })
    .TypedParameter;
  return {
    connect: options => mysql.createConnection(options) as unknown as MysqlConnection,
    bound: value => (Number.isSafeInteger(value) ? LONGLONG(value as number) : (value ?? null)),
  };
}
