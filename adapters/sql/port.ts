import type { Socket } from "node:net";
import { isTlsFault, tlsFaultText } from "../net/tls.ts";

/** Where a database is, and as whom to connect. */
export interface SqlServer {
  host: string;
  port: number;
  database: string;
  username: string;
  password: string;
  /** `verify` checks the server's certificate and its name, `require` encrypts only. */
  tls: "verify" | "require" | "off";
  /** Certificates of authorities (PEM) that are trusted beside the usual ones. */
  ca?: string | undefined;
}

/** What becomes of the rows: all up to a limit, the first one, or none. */
export type SqlMode = "rows" | "one" | "execute";

export interface SqlStatement {
  /** One statement, with `$1` or `?` in place of values. */
  text: string;
  values: readonly unknown[];
  mode: SqlMode;
}

export type SqlOutput =
  | { rows: Record<string, unknown>[]; truncated: boolean }
  | { row: Record<string, unknown> | null }
  | { affected: number; insertId: number | string | null };

/** Statements that are one transaction. */
export interface SqlWork {
  statements: readonly SqlStatement[];
  readOnly: boolean;
  /** The most rows of one statement. */
  maxRows: number;
  /** The most bytes of all rows together, as the server sends them and as JSON. */
  maxBytes: number;
  /** The time limit of all statements together, in ms. */
  timeoutMs: number;
  /** Called when the transaction has begun, before the first statement is sent. What it throws ends the work. */
  begun: () => Promise<void>;
  signal: AbortSignal;
}

/** A connection of its own to a database. It does one work at a time. */
export interface SqlSession {
  /** The connection has ended, or nothing is known of its state. */
  readonly isLost: boolean;
  /** @throws {SqlError}, and what `begun` throws. The transaction is rolled back then. */
  run(work: SqlWork): Promise<SqlOutput[]>;
  /** Forgets what the statements have left in the session. @throws {SqlError} */
  reset(): Promise<void>;
  /** Ends the connection at once. */
  close(): void;
}

/** Opens a socket to the server, through the outbound guard. @throws {OutboundError} */
export type OpenSocket = () => Promise<Socket>;

/** Connects and signs in. @throws {SqlError}, {OutboundError} */
export type OpenSession = (server: SqlServer, openSocket: OpenSocket) => Promise<SqlSession>;

/** How long connecting and signing in may take, and a statement of the adapter's own. */
export const SIGN_IN_MS = 15_000;
/** How long a server may take to end a statement that is over its time limit. */
export const INTERRUPT_MS = 5_000;

interface SqlFault {
  /** The SQLSTATE, or a name of ours where the server gave none. */
  code: string;
  /** The same statements may succeed later. */
  retryable?: boolean;
  /** The connection is lost, so what became of the work is unknown if it had begun. */
  lost?: boolean;
  /** The server has no connection left. */
  crowded?: boolean;
  details?: Record<string, string | number>;
}

export class SqlError extends Error {
  override readonly name = "SqlError";
  readonly code: string;
  readonly retryable: boolean;
  readonly lost: boolean;
  readonly crowded: boolean;
  readonly details: Record<string, string | number>;
  /** The transaction had begun. */
  begun = false;

  constructor(message: string, fault: SqlFault, cause?: unknown) {
    super(message, { cause });
    this.code = fault.code;
    this.retryable = fault.retryable ?? false;
    this.lost = fault.lost ?? false;
    this.crowded = fault.crowded ?? false;
    this.details = fault.details ?? {};
  }
}

export const TOO_LARGE = "output_too_large";
export const CONNECTIONS_BUSY = "connections_busy";
export const STATEMENT_TIMEOUT = "statement_timeout";

export const tooLarge = (maxBytes: number) =>
  new SqlError(`The rows are larger than ${maxBytes} bytes together. Nothing was changed.`, { code: TOO_LARGE });

/** What a fault of the connection amounts to. */
export function connectionFault(error: unknown): SqlError {
  if (error instanceof SqlError) return error;
  const { message = "it gives no reason", code = "" } = error as Error & { code?: string };
  const why =
    (error as { cause?: unknown }).cause instanceof Error ? (error as { cause: Error }).cause.message : message;
  if (isTlsFault(String(code)))
    return new SqlError(
      `The connection could not be encrypted: ${tlsFaultText(String(code), why)}`,
      { code: "tls_failed", lost: true },
      error,
    );
  const told = `The connection to the database was lost: ${why}`;
  return new SqlError(told, { code: "connection_lost", lost: true, retryable: true }, error);
}
