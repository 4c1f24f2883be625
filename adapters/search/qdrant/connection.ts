import { QdrantClient, QdrantRefusal, QdrantUnreachable } from "./client.ts";
import { prefixOf } from "./names.ts";
import { SearchTimeoutError, SearchUnavailableError } from "../errors.ts";

/** The collection does not exist on the server: another node has replaced it, or it is lost. */
export class CollectionGoneError extends SearchUnavailableError {}

/** A point of a write was removed after it was read. The request's later operations are skipped. */
export class PointGoneError extends SearchUnavailableError {}

export interface QdrantSettings {
  /**
   * `http(s)://host[:port][/path]`. A password in it is the API key. `?prefix=` sets the prefix of collection names.
   */
  url: string;
  /** The time limit of each request. */
  timeoutMs?: number;
  /** The pause after a failure, in ms. Requests fail immediately meanwhile, so that callers do not wait for nothing. */
  restMs?: number;
}

const USUAL_PORT = 6333;
const TIMEOUT_MS = 5000;
const REST_MS = 5000;
/** The longest pause, whatever the server asks for, in ms. */
const MAX_REST_MS = 60_000;
const NOT_FOUND = 404;
/** The statuses of an overloaded server, or of a proxy whose server does not answer. */
const AWAY = new Set([429, 502, 503, 504]);

/**
 * The server of an address. The default port is 6333, as everywhere with Qdrant. The port is read from the text,
 * because a URL drops the default port of its protocol, such as 443.
 */
export function serverOf(address: string): { url: string; port: number; prefix: string } {
  const { protocol, hostname, pathname } = new URL(address);
  const port = /^\w+:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(address)?.[1] ?? USUAL_PORT;
  return { url: `${protocol}//${hostname}`, port: Number(port), prefix: pathname.replace(/\/+$/, "") };
}

/** The client with a time limit. It translates errors to those of the port. */
export class QdrantConnection {
  readonly #client: QdrantClient;
  /** The prefix of collection names. */
  readonly prefix: string;
  readonly #restMs: number;
  #restsUntil = -Infinity;

  constructor({ url, timeoutMs = TIMEOUT_MS, restMs = REST_MS }: QdrantSettings) {
    this.#restMs = restMs;
    const address = new URL(url);
    const apiKey = decodeURIComponent(address.password);
    this.prefix = prefixOf(address);
    this.#client = new QdrantClient(serverOf(url), apiKey, timeoutMs);
  }

  /** Closes the connections after the running requests. */
  close(): Promise<void> {
    return this.#client.close();
  }

  /**
   * Runs requests.
   * @throws {SearchTimeoutError} when the server does not answer in time.
   * @throws {CollectionGoneError} when the collection does not exist.
   * @throws {PointGoneError} when a point does not exist.
   * @throws {SearchUnavailableError} when the server is unavailable, or refuses.
   * @throws any other error of `work`, unchanged: it is a fault of this program.
   */
  async run<T>(work: (client: QdrantClient) => Promise<T>): Promise<T> {
    if (performance.now() < this.#restsUntil)
      throw new SearchUnavailableError("Qdrant could not be reached a moment ago");
    try {
      return await work(this.#client);
    } catch (error) {
      const told = errorOf(error);
      if (told === undefined) throw error;
      this.#restsUntil = performance.now() + this.#restAfter(error);
      throw told;
    }
  }

  /**
   * The pause after an error, in ms. A server that refuses one request, for example a write on a full disk, still
   * answers others. Only an unavailable or overloaded server needs a pause.
   */
  #restAfter(error: unknown): number {
    if (!(error instanceof QdrantRefusal)) return this.#restMs;
    const { status, restMs } = error;
    if (restMs > 0) return Math.min(MAX_REST_MS, restMs);
    return AWAY.has(status) ? this.#restMs : 0;
  }
}

/** Translates an error of the server or the connection to an error of the port; undefined for any other error. */
function errorOf(error: unknown): Error | undefined {
  const { name, message } = error as Error;
  if (name === "TimeoutError") return new SearchTimeoutError("Qdrant did not answer in time");
  if (!(error instanceof QdrantRefusal || error instanceof QdrantUnreachable)) return undefined;
  const options = { cause: error };
  const said = `Qdrant: ${message}`;
  if (error instanceof QdrantRefusal && error.status === NOT_FOUND) {
    // A path outside Qdrant is a 404 too, but its message mentions neither.
    if (/\b(collection|alias)\b/i.test(message)) return new CollectionGoneError(said, options);
    if (/\bpoint\b/i.test(message)) return new PointGoneError(said, options);
  }
  return new SearchUnavailableError(said, options);
}
