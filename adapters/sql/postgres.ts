import type { Socket } from "node:net";
import type { Client } from "pg";
import {
  connectionFault,
  type OpenSession,
  type OpenSocket,
  SIGN_IN_MS,
  SqlError,
  type SqlOutput,
  type SqlStatement,
  type SqlWork,
  STATEMENT_TIMEOUT,
} from "./port.ts";
import { loadPostgres, type Postgres } from "./postgres-library.ts";
import { columnNames, rowOf, rowsOutput, rowsToRead } from "./rows.ts";
import { withTimeout } from "./time-limit.ts";
import { tlsOptions } from "./tls-options.ts";
import { TransactionSession } from "./transaction-session.ts";

/** The number of rows per request. */
const BATCH = 500;
/** Temporary errors: conflicts between transactions, and servers that lack resources or restart. */
const PASSING = /^(?:40001|40P01|55P03|53|57P0[1235]|08)/;
const CANCELLED = "57014";
/** The server ends the connection after this error. Uncommitted changes are rolled back. */
const ENDED = /^57P0[12]/;

interface ServerError extends Error {
  code?: string;
  severity?: string;
  [more: string]: unknown;
}

function failureOf(error: unknown): SqlError {
  if (error instanceof SqlError) return error;
  const { code = "", message, severity } = error as ServerError;
  if (severity === undefined || !/^[0-9A-Z]{5}$/.test(code)) return connectionFault(error);
  const details: Record<string, string> = { sqlState: code };
  for (const name of ["detail", "hint", "schema", "table", "column", "constraint", "position"]) {
    const value = (error as ServerError)[name];
    if (typeof value === "string") details[name] = value.slice(0, 500);
  }
  if (code === CANCELLED) return new SqlError(message, { code: STATEMENT_TIMEOUT, retryable: true, details }, error);
  const more = { retryable: PASSING.test(code), crowded: code === "53300", lost: ENDED.test(code) };
  return new SqlError(message, { code, details, ...more }, error);
}

/** Pretends to connect, because the guard has already connected the socket. */
function asConnected(socket: Socket): Socket {
  socket.connect = () => {
    process.nextTick(() => socket.emit("connect"));
    return socket;
  };
  return socket;
}

/** A request to cancel the statement of another connection (PostgreSQL, "Canceling Requests in Progress"). */
function cancelRequest(processId: number, secretKey: number): Buffer {
  const request = Buffer.alloc(16);
  for (const [at, number] of [16, 80_877_102, processId, secretKey].entries()) request.writeInt32BE(number, at * 4);
  return request;
}

class PostgresSession extends TransactionSession {
  protected readonly failureOf = failureOf;
  readonly #client: Client;
  readonly #library: Postgres;
  readonly #openSocket: OpenSocket;

  constructor(client: Client, library: Postgres, openSocket: OpenSocket) {
    super();
    this.#client = client;
    this.#library = library;
    this.#openSocket = openSocket;
    client.on("error", () => (this.isLost = true));
    client.on("end", () => (this.isLost = true));
    this.stream.on("data", (bytes: Buffer) => this.count(bytes.length));
  }

  override close(): void {
    this.isLost = true;
    this.#client.end().catch(() => undefined);
    this.stream.destroy();
  }

  protected override get stream(): Socket {
    return (this.#client as unknown as { connection: { stream: Socket } }).connection.stream;
  }

  /** All settings end with the transaction, so they also work with a pooler. */
  protected override begin({ readOnly, timeoutMs }: SqlWork) {
    const settings = {
      ...{ statement_timeout: Math.max(1, Math.ceil(timeoutMs)), TimeZone: "'UTC'", DateStyle: "'ISO, YMD'" },
      ...{ IntervalStyle: "'iso_8601'", bytea_output: "'hex'", extra_float_digits: 1 },
    };
    const set = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`);
    return withTimeout(SIGN_IN_MS, this.#client.query([`BEGIN${readOnly ? " READ ONLY" : ""}`, ...set].join("; ")));
  }

  protected override async commit(): Promise<void> {
    const { command } = await this.#client.query("COMMIT");
    if (command !== "COMMIT") throw new SqlError("The transaction was rolled back.", { code: "40000" });
  }

  protected override rollback() {
    return this.#client.query("ROLLBACK");
  }

  protected override forget() {
    return this.#client.query("DISCARD ALL");
  }

  protected override async perform({ text, values, mode }: SqlStatement, { maxRows }: SqlWork): Promise<SqlOutput> {
    const cursor = this.#client.query(this.#library.cursor(text, [...values]));
    const most = rowsToRead(mode, maxRows);
    const rows: Record<string, unknown>[] = [];
    let names: string[] | undefined;
    for (;;) {
      const asked = mode === "execute" ? BATCH : Math.min(BATCH, most - rows.length);
      const { read, result } = await this.#library.read(cursor, asked);
      names ??= columnNames(result.fields.map(({ name }) => name));
      if (mode !== "execute") for (const row of read) rows.push(rowOf(names, row));
      const isOver = read.length < asked;
      if (!isOver && (mode === "execute" || rows.length < most)) continue;
      if (!isOver) await cursor.close();
      if (mode === "execute")
        return { affected: result.command === "SELECT" ? 0 : (result.rowCount ?? 0), insertId: null };
      return rowsOutput(mode, rows, maxRows);
    }
  }

  protected override interrupt(): void {
    const { processID, secretKey } = this.#client as unknown as { processID: number; secretKey: number };
    this.#openSocket().then(
      socket => socket.on("error", () => undefined).end(cancelRequest(processID, secretKey)),
      () => undefined,
    );
  }
}

/** Connects to PostgreSQL. The certificate must match the original host name. */
export const openPostgres: OpenSession = async (server, openSocket) => {
  const library = await loadPostgres();
  const { host, port, database, username: user, password } = server;
  const socket = asConnected(await openSocket());
  const client = new library.Client({
    ...{
      host,
      port,
      database,
      user,
      password,
      ssl: tlsOptions(server) ?? false,
      stream: () => socket,
      application_name: "weft",
    },
  });
  client.on("error", () => undefined);
  try {
    await withTimeout(SIGN_IN_MS, client.connect());
    return new PostgresSession(client, library, openSocket);
  } catch (error) {
    client.end().catch(() => undefined);
    socket.destroy();
    throw failureOf(error);
  }
};
