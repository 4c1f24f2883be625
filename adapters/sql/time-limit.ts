import { INTERRUPT_MS, SqlError, STATEMENT_TIMEOUT } from "./port.ts";

/** How a time limit can end work on a connection. */
interface Interruptible {
  /** Asks the server, over another connection, to end the statement. */
  interrupt: () => void;
  /** Ends the connection. */
  destroy: (error: SqlError) => void;
}

/**
 * Enforces the time limit of a work. The server's own limit comes first. If it has no effect, the server is asked to
 * end the statement, and then the connection is ended. Aborting the signal does both immediately.
 */
export async function withStatementLimit<T>(
  work: () => Promise<T>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
  { interrupt, destroy }: Interruptible,
): Promise<T> {
  const late = () =>
    destroy(new SqlError(`The statements took longer than ${timeoutMs} ms.`, { code: STATEMENT_TIMEOUT, lost: true }));
  const abort = () => {
    interrupt();
    destroy(new SqlError("The step was ended.", { code: "aborted", lost: true }));
  };
  let last: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    interrupt();
    last = setTimeout(late, INTERRUPT_MS);
  }, timeoutMs + 250);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    return await work();
  } finally {
    clearTimeout(first);
    clearTimeout(last);
    signal.removeEventListener("abort", abort);
  }
}

/**
 * Waits for a promise.
 * @throws {SqlError} connection_lost, when the promise is not settled in time
 */
export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const told = `The database did not answer within ${ms} ms.`;
    timer = setTimeout(() => reject(new SqlError(told, { code: "connection_lost", lost: true, retryable: true })), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
