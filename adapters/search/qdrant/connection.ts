import { QdrantClient } from "@qdrant/js-client-rest";
import { prefixOf } from "./prefix.ts";
import { SearchTimeoutError, SearchUnavailableError } from "../errors.ts";

/** A collection that another node has replaced and removed meanwhile. */
export class CollectionGoneError extends SearchUnavailableError {}

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
const TOO_MANY = 429;

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
    this.#client = new QdrantClient({
      ...serverOf(url),
      timeout: timeoutMs,
      checkCompatibility: false,
      // As a header of our own: as an option the client would write a warning to the console.
      ...(apiKey !== "" && { headers: { "api-key": apiKey } }),
    });
  }

  /** SearchTimeoutError, CollectionGoneError, SearchUnavailableError. */
  async run<T>(work: (client: QdrantClient) => Promise<T>): Promise<T> {
    if (performance.now() < this.#restsUntil) throw new SearchUnavailableError("Qdrant was away a moment ago");
    try {
      return await work(this.#client);
    } catch (error) {
      this.#restsUntil = performance.now() + this.#restAfter(error);
      throw errorOf(error);
    }
  }

  /** In milliseconds. What the server says no to is no reason to leave it alone; that it has too much to do is. */
  #restAfter(error: unknown): number {
    const { status, retry_after: seconds } = error as { status?: unknown; retry_after?: unknown };
    if (typeof seconds === "number" && seconds > 0) return Math.min(MAX_REST_MS, seconds * 1_000);
    return typeof status === "number" && status < 500 && status !== TOO_MANY ? 0 : this.#restMs;
  }
}

function errorOf(error: unknown): Error {
  const { name, status, message } = error as { name?: string; status?: unknown; message?: string };
  if (name === "QdrantClientTimeoutError" || name === "AbortError")
    return new SearchTimeoutError("Qdrant did not answer in time");
  const options = { cause: error };
  if (status === 404) return new CollectionGoneError("Qdrant has no such collection", options);
  return new SearchUnavailableError(`Qdrant: ${typeof status === "number" ? `status ${status}` : message}`, options);
}
