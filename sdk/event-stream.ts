import { WeftConnectionError } from "./errors.ts";
import { EventParser } from "./event-parser.ts";
import { pause, retryDelayMs } from "./retry.ts";
import { isNetworkError } from "./transport.ts";

export interface StreamEvent<T> {
  /** Where to go on behind it: `lastEventId`. */
  id: string | undefined;
  event: string;
  data: T;
}

export interface StreamOptions {
  /** Ends the stream, with the signal's reason as its error. Leaving the loop ends it too. */
  signal?: AbortSignal | undefined;
  /** The id of the last event that was seen; the stream goes on behind it. */
  lastEventId?: string | undefined;
  /** How often in a row the connection may fail before the stream does; 10 times without it. */
  maxRetries?: number | undefined;
}

/** Begins to read behind an event; 204 means that there will be no more. */
export type OpenStream = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;

const OPEN_MS = 30_000;
/** The service gives a sign of life every 15 seconds. */
const SILENT_MS = 45_000;
const RETRY_MS = 2_000;
const MAX_RETRY_MS = 30_000;
const MAX_RETRIES = 10;

/** A connection that is given up when nothing comes for too long. */
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

  /** Whatever is awaited next has so long. */
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

  /** What went wrong, from what was thrown. */
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
 * The events of a stream, whatever happens to its connections: each goes on behind the last event that came, so none is
 * missing and none comes twice. It ends when the service says that there will be no more.
 * Errors: WeftError where the service refuses, WeftConnectionError after too many failures in a row, the signal's reason.
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
    // One that showed something and came to its end is asked at once whether there is more.
    if (!lived) await pause(Math.random() * Math.min(retryMs * 2 ** failures++, MAX_RETRY_MS), signal);
  }
}
