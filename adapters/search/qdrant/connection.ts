import { QdrantClient } from "@qdrant/js-client-rest";
import { SearchTimeoutError, SearchUnavailableError } from "../errors.ts";

/** A collection that another node has replaced and removed meanwhile. */
export class CollectionGoneError extends SearchUnavailableError {}

export interface QdrantSettings {
  /** `http(s)://host[:port]`; a password in it is the API key. */
  url: string;
  /** Of each request. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 5000;

/** The client with a time limit, and with its errors as the port has them. */
export class QdrantConnection {
  readonly #client: QdrantClient;

  constructor({ url, timeoutMs = TIMEOUT_MS }: QdrantSettings) {
    const address = new URL(url);
    const apiKey = decodeURIComponent(address.password);
    address.username = address.password = "";
    this.#client = new QdrantClient({
      url: address.href.replace(/\/$/, ""),
      timeout: timeoutMs,
      checkCompatibility: false,
      // As a header of our own: as an option the client would write a warning to the console.
      ...(apiKey !== "" && { headers: { "api-key": apiKey } }),
    });
  }

  /** SearchTimeoutError, CollectionGoneError, SearchUnavailableError. */
  async run<T>(work: (client: QdrantClient) => Promise<T>): Promise<T> {
    try {
      return await work(this.#client);
    } catch (error) {
      throw errorOf(error);
    }
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
