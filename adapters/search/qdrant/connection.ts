import { QdrantClient, QdrantRefusal } from "./client.ts";
import { prefixOf } from "./prefix.ts";
import { SearchTimeoutError, SearchUnavailableError } from "../errors.ts";

/** The server has not got this collection: another node has replaced it, or it is lost. */
export class CollectionGoneError extends SearchUnavailableError {}

/** A point that a write is for has been removed since it was read. What stands behind it in its request is not done. */
export class PointGoneError extends SearchUnavailableError {}

export interface QdrantSettings {
  /** `http(s)://host[:port][/path]`; a password in it is the API key, `?prefix=` begins the names of collections. */
  url: string;
  /** Of each request. */
  timeoutMs?: number;
  /** After a failure the server is left alone for so long: nobody waits in vain, not even behind one write after the other. */
  restMs?: number;
}

const USUAL_PORT = 6333;
const TIMEOUT_MS = 5000;
const REST_MS = 5000;
/** However long the server asks for. */
const MAX_REST_MS = 60_000;
const NOT_FOUND = 404;
/** Too many requests; and what a server or a proxy in front of it says while it cannot answer. */
const AWAY = new Set([429, 502, 503, 504]);

/**
 * Where the client is to go. An address without a port means 6333, as everywhere with Qdrant, so that one that says 443 has to
 * be read before a URL leaves it out for being usual.
 */
export function serverOf(address: string): { url: string; port: number; prefix: string } {
  const { protocol, hostname, pathname } = new URL(address);
  const port = /^\w+:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(address)?.[1] ?? USUAL_PORT;
  return { url: `${protocol}//${hostname}`, port: Number(port), prefix: pathname.replace(/\/+$/, "") };
}

/** The client with a time limit, and with its errors as the port has them. */
export class QdrantConnection {
  readonly #client: QdrantClient;
  /** Of the names of collections. */
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

  /** Ends the connections, once what is under way has ended. */
  close(): Promise<void> {
    return this.#client.close();
  }

  /** @throws {SearchTimeoutError}, CollectionGoneError, PointGoneError, SearchUnavailableError */
  async run<T>(work: (client: QdrantClient) => Promise<T>): Promise<T> {
    if (performance.now() < this.#restsUntil) throw new SearchUnavailableError("Qdrant was away a moment ago");
    try {
      return await work(this.#client);
    } catch (error) {
      this.#restsUntil = performance.now() + this.#restAfter(error);
      throw errorOf(error);
    }
  }

  /**
   * In milliseconds. A server that refuses one request, as for a write on a full disk, still answers others. One that is away,
   * or has too much to do, is left alone.
   */
  #restAfter(error: unknown): number {
    if (!(error instanceof QdrantRefusal)) return this.#restMs;
    const { status, restMs } = error;
    if (restMs > 0) return Math.min(MAX_REST_MS, restMs);
    return AWAY.has(status) ? this.#restMs : 0;
  }
}

function errorOf(error: unknown): Error {
  const { name, message } = error as Error;
  if (name === "TimeoutError") return new SearchTimeoutError("Qdrant did not answer in time");
  const options = { cause: error };
  const said = `Qdrant: ${message}`;
  if (error instanceof QdrantRefusal && error.status === NOT_FOUND) {
    // A path that is not Qdrant's is a 404 too, and says neither.
    if (/\b(collection|alias)\b/i.test(message)) return new CollectionGoneError(said, options);
    if (/\bpoint\b/i.test(message)) return new PointGoneError(said, options);
  }
  return new SearchUnavailableError(said, options);
}
