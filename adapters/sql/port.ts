import type { Socket } from "node:net";
import { isTlsFault, tlsFaultText } from "../net/tls.ts";

/** The address of a database, and the user. */
export interface SqlServer {
  host: string;
  port: number;
  database: string;
  username: string;
  password: string;
  /** `verify` checks the server's certificate and its name. `require` only encrypts. */
  tls: "verify" | "require" | "off";
  /** Certificates of authorities (PEM) that are trusted in addition to the usual ones. */
  ca?: string | undefined;
}

/** What happens to the rows: `rows` keeps all up to a limit, `one` the first one, `execute` none. */
export type SqlMode = "rows" | "one" | "execute";

export interface SqlStatement {
  /** One statement, with placeholders (`$1` or `?`) for values. */
  text: string;
  values: readonly unknown[];
  mode: SqlMode;
}

export type SqlOutput =
  | { rows: Record<string, unknown>[]; truncated: boolean }
  | { row: Record<string, unknown> | null }
  | { affected: number; insertId: number | string | null };

/** The statements of one transaction. */
export interface SqlWork {
  statements: readonly SqlStatement[];
  readOnly: boolean;
  /** The most rows of each statement. */
  maxRows: number;
  /** The most bytes of all rows together. The limit applies to the server's bytes and to the rows as JSON. */
  maxBytes: number;
  /** The time limit of all statements together, in ms. */
  timeoutMs: number;
  /** Called when the transaction has begun, before the first statement is sent. An error of `begun` ends the work. */
  begun: () => Promise<void>;
  signal: AbortSignal;
}

/** A single connection to a database. It performs one work at a time. */
export interface SqlSession {
  /** Whether the connection has ended, or its state is unknown. */
  readonly isLost: boolean;
  /**
   * Performs a work in one transaction.
   * @throws {SqlError}; also the errors of `begun`. The transaction is rolled back then.
   */
  run(work: SqlWork): Promise<SqlOutput[]>;
  /**
   * Clears the state that statements have left in the session.
   * @throws {SqlError}
   */
  reset(): Promise<void>;
  /** Ends the connection immediately. */
  close(): void;
}

/**
 * Opens a socket to the server, through the outbound guard.
 * @throws {OutboundError}
 */
export type OpenSocket = () => Promise<Socket>;

/**
 * Connects and signs in.
 * @throws {SqlError}, {OutboundError}
 */
export type OpenSession = (server: SqlServer, openSocket: OpenSocket) => Promise<SqlSession>;

/** The time limit of connecting and signing in, and of each statement of the adapter itself, in ms. */
export const SIGN_IN_MS = 15_000;
/** How long a server may take to end a statement after its time limit, in ms. */
export const INTERRUPT_MS = 5_000;

interface SqlFault {
  /** The SQLSTATE, or a code of this adapter if the server gave none. */
  code: string;
  /** The same statements may succeed later. */
  retryable?: boolean;
  /** The connection is lost. If the work had begun, its outcome is unknown. */
  lost?: boolean;
  /** The server accepts no more connections. */
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
  /** Whether the transaction had begun. */
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

/** Converts an error of the connection. */
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
