import type { Socket } from "node:net";
import {
  connectionFault,
  type OpenSession,
  type OpenSocket,
  SIGN_IN_MS,
  SqlError,
  type SqlOutput,
  type SqlServer,
  type SqlStatement,
  type SqlWork,
  STATEMENT_TIMEOUT,
} from "./port.ts";
import { loadMysql, type Mysql, type MysqlCommand, type MysqlConnection, type MysqlDone } from "./mysql-library.ts";
import { type MysqlColumn, mysqlReader } from "./mysql-values.ts";
import { columnNames, rowOf, rowsOutput, rowsToRead } from "./rows.ts";
import { withTimeout } from "./time-limit.ts";
import { tlsOptions } from "./tls-options.ts";
import { TransactionSession } from "./transaction-session.ts";

/** Errors after the time limit: of MariaDB, of MySQL, and after a kill request. */
const TIMED_OUT = new Set([1969, 3024, 1317]);
/**
 * Temporary errors: deadlock, lock wait timeout, and too many connections of the server, of the user, or within the
 * user's resource limit.
 */
const PASSING = new Set([1213, 1205, 1040, 1203, 1226]);
const CROWDED = new Set([1040, 1203, 1226]);
/** The server is stopping, or the connection was killed. */
const ENDED = new Set([1053, 1927, 1152]);

interface ServerError extends Error {
  errno?: number;
  code?: string;
  sqlState?: string;
  sqlMessage?: string;
}

function failureOf(error: unknown): SqlError {
  if (error instanceof SqlError) return error;
  const { errno = 0, code = "", sqlState, sqlMessage, message } = error as ServerError;
  if (sqlMessage === undefined || errno <= 0) return connectionFault(error);
  const told = sqlMessage || message;
  const details = { ...(sqlState && { sqlState }), errno, name: code };
  if (TIMED_OUT.has(errno)) return new SqlError(told, { code: STATEMENT_TIMEOUT, retryable: true, details }, error);
  const lost = ENDED.has(errno);
  const retryable = lost || PASSING.has(errno) || sqlState === "40001";
  const crowded = CROWDED.has(errno);
  return new SqlError(told, { code: sqlState || "HY000", details, retryable, crowded, lost }, error);
}

/** The library alone would wait until the server ends the connection too. */
function end(connection: MysqlConnection): void {
  connection.destroy();
  connection.stream.destroy();
}

class MysqlSession extends TransactionSession {
  protected readonly failureOf = failureOf;
  readonly #connection: MysqlConnection;
  readonly #library: Mysql;
  readonly #isMariaDB: boolean;
  readonly #kill: (threadId: number) => void;
  /** Fails the running statement. */
  #fail: (error: Error) => void = () => undefined;

  constructor(connection: MysqlConnection, version: string, library: Mysql, kill: (threadId: number) => void) {
    super();
    this.#connection = connection;
    this.#library = library;
    this.#isMariaDB = /mariadb/i.test(version);
    this.#kill = kill;
    connection.on("end", () => (this.isLost = true));
    connection.on("error", (error: Error) => {
      this.isLost = true;
      // The library reports the end of a connection to the connection, but not to a statement whose rows are read one
      // by one.
      this.#fail(error);
    });
    const { packetParser } = connection;
    const parse = packetParser.execute.bind(packetParser);
    // The library passes all received bytes to its parser, with and without TLS.
    packetParser.execute = bytes => {
      if (this.count(bytes.length)) parse(bytes);
    };
  }

  override close(): void {
    this.isLost = true;
    end(this.#connection);
  }

  protected override get stream(): Socket {
    return this.#connection.stream;
  }

  protected override interrupt(): void {
    this.#kill(this.#connection.threadId);
  }

  protected override commit() {
    return this.#say("COMMIT");
  }

  protected override rollback() {
    return this.#say("ROLLBACK");
  }

  protected override forget(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#connection.reset(error => (error ? reject(error) : resolve()));
    });
  }

  /** Sends a statement of the adapter itself. */
  #say(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#connection.query(sql, error => (error ? reject(error) : resolve()));
    });
  }

  protected override async begin({ readOnly, timeoutMs, maxRows, statements }: SqlWork): Promise<void> {
    const ms = Math.max(1, Math.ceil(timeoutMs));
    // MySQL limits only statements that read. All others are ended by a kill request.
    const limit = this.#isMariaDB ? `max_statement_time = ${ms / 1_000}` : `max_execution_time = ${ms}`;
    const most = Math.max(...statements.map(({ mode }) => rowsToRead(mode, maxRows)), 1);
    await withTimeout(SIGN_IN_MS, this.#say(`SET time_zone = '+00:00', sql_select_limit = ${most}, ${limit}`));
    await withTimeout(SIGN_IN_MS, this.#say(`START TRANSACTION${readOnly ? " READ ONLY" : ""}`));
  }

  protected override perform({ text, values, mode }: SqlStatement, { maxRows }: SqlWork): Promise<SqlOutput> {
    const most = rowsToRead(mode, maxRows);
    const rows: Record<string, unknown>[] = [];
    let done: MysqlDone | undefined;
    let names: string[] = [];
    let read = mysqlReader([]);
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      const values_ = values.map(value => this.#library.bound(value)) as never;
      const command = this.#connection.execute({
        sql: text,
        values: values_,
        rowsAsArray: true,
      }) as unknown as MysqlCommand;
      command
        .on("fields", (columns: MysqlColumn[] | undefined) => {
          if (!columns) return;
          // A procedure may return several results. The last one counts.
          rows.length = 0;
          names = columnNames(columns.map(({ name }) => name));
          read = mysqlReader(columns);
        })
        .on("result", row => {
          if (!Array.isArray(row)) done = row;
          else if (rows.length < most) rows.push(rowOf(names, read(row)));
        })
        .on("error", reject)
        .on("end", () => {
          if (mode !== "execute") return resolve(rowsOutput(mode, rows, maxRows));
          resolve({ affected: done?.affectedRows ?? 0, insertId: done?.insertId || null });
        });
    });
  }
}

async function connect(server: SqlServer, openSocket: OpenSocket, library: Mysql) {
  const { host, port, database, username: user, password } = server;
  const socket = await openSocket();
  // For the certificate check, the library passes the host only if it is a name. Node takes an address from here.
  Object.assign(socket, { _host: host });
  const tls = tlsOptions(server);
  const connection = library.connect({
    ...{ host, port, database, user, password, stream: socket, connectTimeout: SIGN_IN_MS },
    ...(tls && { ssl: { ...tls, verifyIdentity: tls.rejectUnauthorized } }),
    ...{ supportBigNumbers: true, bigNumberStrings: false, dateStrings: true, jsonStrings: true, timezone: "Z" },
    // Never sends files of this machine, and never compiles parsers from column names.
    ...{ flags: ["-LOCAL_FILES"], disableEval: true, maxPreparedStatements: 50, charset: "utf8mb4" },
  });
  connection.on("error", () => undefined);
  try {
    const version = await withTimeout(
      SIGN_IN_MS,
      new Promise<string>((resolve, reject) => {
        connection.once("connect", (handshake: { serverVersion?: string }) => resolve(handshake.serverVersion ?? ""));
        connection.once("error", reject);
        socket.once("close", () => reject(new Error("the server closed the connection")));
      }),
    );
    return { connection, version };
  } catch (error) {
    end(connection);
    socket.destroy();
    throw failureOf(error);
  }
}

/**
 * Kills a connection's statement over another connection. A failure has no consequence, because the server's own time
 * limit still applies.
 */
async function kill(threadId: number, server: SqlServer, openSocket: OpenSocket, library: Mysql): Promise<void> {
  const { connection } = await connect(server, openSocket, library);
  try {
    const killed = new Promise<void>(resolve => connection.query(`KILL QUERY ${threadId}`, () => resolve()));
    await withTimeout(SIGN_IN_MS, killed);
  } finally {
    end(connection);
  }
}

/** Connects to MySQL or MariaDB. The certificate must match the original host name. */
export const openMysql: OpenSession = async (server, openSocket) => {
  const library = await loadMysql();
  const { connection, version } = await connect(server, openSocket, library);
  return new MysqlSession(connection, version, library, threadId => {
    kill(threadId, server, openSocket, library).catch(() => undefined);
  });
};
