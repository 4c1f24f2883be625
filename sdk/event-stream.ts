import { WeftConnectionError } from "./errors.ts";
import { EventParser } from "./event-parser.ts";
import { pause, retryDelayMs } from "./retry.ts";
import { isNetworkError } from "./transport.ts";

/** One event of a stream, with its data as JSON. */
export interface StreamEvent<T> {
  /** Pass this as `lastEventId` to continue after this event. */
  id: string | undefined;
  event: string;
  data: T;
}

/** The options of a stream. */
export interface StreamOptions {
  /** Aborts the stream with the signal's reason. Leaving the loop ends the stream too. */
  signal?: AbortSignal | undefined;
  /** The id of the last received event. The stream continues after it. */
  lastEventId?: string | undefined;
  /** How often in a row the connection may fail before the stream fails. Default: 10. */
  maxRetries?: number | undefined;
}

/** Opens the stream after an event. The status 204 means that no more events will follow. */
export type OpenStream = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;

const OPEN_MS = 30_000;
/** The longest silence on a connection. The service sends a keep-alive every 15 seconds. */
const SILENT_MS = 45_000;
const RETRY_MS = 2_000;
const MAX_RETRY_MS = 30_000;
const MAX_RETRIES = 10;

/** A connection that is dropped after a long silence. */
class Connection {
  readonly #leave = new AbortController();
  readonly #signal: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  silent = false;
  readonly signal: AbortSignal;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    this.signal = signal ? AbortSignal.any([signal, this.#leave.signal]) : this.#leave.signal;
  }

  /** Sets the time limit of the next read. */
  expect(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.silent = true;
      this.#leave.abort();
    }, ms);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#leave.abort();
  }

  /** The reason of a failure. */
  reason(error: unknown): unknown {
    if (this.#signal?.aborted) return this.#signal.reason;
    if (this.silent) return new WeftConnectionError("The stream fell silent", { timedOut: true });
    return isNetworkError(error) ? new WeftConnectionError("The stream broke off", { cause: error }) : error;
  }
}

async function* chunksOf(response: Response, connection: Connection): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  while (reader) {
    connection.expect(SILENT_MS);
    const chunk = (await reader.read()) as { value?: Uint8Array<ArrayBuffer>; done: boolean };
    if (chunk.done) return;
    yield decoder.decode(chunk.value, { stream: true });
  }
}

/**
 * The events of a stream across lost connections. Each new connection continues after the last event, so no event is
 * missed or repeated. The stream ends when the service reports that no more events will follow.
 * @throws {WeftError} when the service refuses the request
 * @throws {WeftConnectionError} after too many failures in a row; an abort throws the signal's reason
 */
export async function* follow<T>(
  open: OpenStream,
  options: StreamOptions,
): AsyncGenerator<StreamEvent<T>, void, undefined> {
  const { signal, maxRetries = MAX_RETRIES } = options;
  let { lastEventId } = options;
  let retryMs = RETRY_MS;
  for (let failures = 0; ;) {
    let lived = false;
    const connection = new Connection(signal);
    try {
      connection.expect(OPEN_MS);
      const response = await open(lastEventId, connection.signal);
      if (response.status === 204) return;
      const parser = new EventParser();
      for await (const text of chunksOf(response, connection)) {
        failures = 0;
        for (const { id, event, data } of parser.push(text)) {
          lived = true;
          lastEventId = id ?? lastEventId;
          yield { id, event, data: JSON.parse(data) as T };
        }
        retryMs = parser.retryMs ?? retryMs;
      }
    } catch (thrown) {
      const error = connection.reason(thrown);
      if (retryDelayMs(error, 1, true) === undefined || failures >= maxRetries) throw error;
      lived = false;
    } finally {
      connection.close();
    }
    // A connection that delivered events and ended normally is reopened at once.
    if (!lived) await pause(Math.random() * Math.min(retryMs * 2 ** failures++, MAX_RETRY_MS), signal);
  }
}
