import { Pool } from "undici";

export type PointIdOf = string;
type Values = number[] | { indices: number[]; values: number[] };

export interface Point {
  id: PointIdOf;
  payload: object;
  vector: Record<string, Values>;
}
export interface FoundPoint extends Partial<Pick<Point, "payload" | "vector">> {
  id: PointIdOf;
  score: number;
}
/** Selects points by their ids, or by their payload. */
type Selection = { points: PointIdOf[] } | { filter: object };
export type Operation =
  | { upsert: { points: Point[] } }
  | { update_vectors: { points: Pick<Point, "id" | "vector">[] } }
  | { set_payload: { payload: object } & Selection };
export type AliasAction =
  | { create_alias: { collection_name: string; alias_name: string } }
  | { delete_alias: { alias_name: string } }
  | { rename_alias: { old_alias_name: string; new_alias_name: string } };
interface Shown {
  with_payload?: boolean | string[];
  with_vector?: boolean | string[];
}
export interface Query extends Shown {
  query: Values;
  using: string;
  filter: object;
  limit: number;
  params?: object;
}

/** The server refused the request. `message` contains its words, on one line. */
export class QdrantRefusal extends Error {
  override readonly name = "QdrantRefusal";
  readonly status: number;
  /** How long the server asks the client to pause, in ms. */
  readonly restMs: number;

  constructor(status: number, words: string, restMs = 0) {
    super(`status ${status}${words && `: ${words}`}`);
    this.status = status;
    this.restMs = restMs;
  }
}

/** The server could not be reached, broke the connection, or did not answer with JSON. `cause` has the details. */
export class QdrantUnreachable extends Error {
  override readonly name = "QdrantUnreachable";
}

/** Qdrant closes a connection that is idle for 5 seconds, without notice. This client closes it earlier. */
const IDLE_MS = 3_000;
const CONNECTIONS = 32;
const MAX_SENDS = 3;
const MAX_WORDS = 300;
const MAX_VERSION = 50;
const CLOSED = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);
/** Undici refuses the client's request. This is a fault of the client, not of the server. */
const OWN_FAULTS = new Set(["UND_ERR_INVALID_ARG", "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH"]);

/**
 * Makes the index's requests over Qdrant's HTTP interface, with plain JSON. Vectors and payloads contain no integers
 * beyond 53 bits, and a client that checks for them takes several times as long to parse an answer.
 */
export class QdrantClient {
  readonly #pool: Pool;
  readonly #prefix: string;
  readonly #timeoutMs: number;
  readonly #headers: Record<string, string>;

  /** `prefix` precedes Qdrant's own paths. `timeoutMs` limits each request. */
  constructor(server: { url: string; port: number; prefix: string }, apiKey: string, timeoutMs: number) {
    this.#pool = new Pool(`${server.url}:${server.port}`, {
      connections: CONNECTIONS,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
    });
    this.#prefix = server.prefix;
    this.#timeoutMs = timeoutMs;
    this.#headers = { "content-type": "application/json", ...(apiKey !== "" && { "api-key": apiKey }) };
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async version(): Promise<string | null> {
    const { version } = await this.#ask("GET", "/", undefined, rootOf);
    return typeof version === "string" ? version.slice(0, MAX_VERSION) : null;
  }

  aliases(): Promise<{ aliases: { alias_name: string; collection_name: string }[] }> {
    return this.#ask("GET", "/aliases");
  }

  /** Applies all actions atomically. */
  changeAliases(actions: readonly AliasAction[]): Promise<boolean> {
    return this.#ask("POST", "/collections/aliases", { actions });
  }

  collections(): Promise<{ collections: { name: string }[] }> {
    return this.#ask("GET", "/collections");
  }

  collection(name: string): Promise<{ payload_schema: Record<string, unknown> }> {
    return this.#ask("GET", pathOf(name));
  }

  createCollection(name: string, config: object): Promise<boolean> {
    return this.#ask("PUT", pathOf(name), config);
  }

  deleteCollection(name: string): Promise<boolean> {
    return this.#ask("DELETE", pathOf(name));
  }

  createIndex(name: string, field: { field_name: string; field_schema: object }): Promise<unknown> {
    return this.#ask("PUT", `${pathOf(name)}/index?wait=true`, field);
  }

  upsert(name: string, points: readonly Point[]): Promise<unknown> {
    return this.#ask("PUT", `${pathOf(name)}/points?wait=true`, { points });
  }

  /** Applies the operations in order. Operations after a failed one are skipped. */
  update(name: string, operations: readonly Operation[]): Promise<unknown> {
    return this.#ask("POST", `${pathOf(name)}/points/batch?wait=true`, { operations });
  }

  remove(name: string, chosen: Selection): Promise<unknown> {
    return this.#ask("POST", `${pathOf(name)}/points/delete?wait=true`, chosen);
  }

  /** The existing ones of these points. */
  points(name: string, ids: readonly PointIdOf[], shown: Shown): Promise<Pick<Point, "id" | "payload">[]> {
    return this.#ask("POST", `${pathOf(name)}/points`, { ids, ...shown });
  }

  scroll(
    name: string,
    page: Shown & { limit: number; filter?: object; offset?: PointIdOf | null },
  ): Promise<{ points: Point[]; next_page_offset: PointIdOf | null }> {
    return this.#ask("POST", `${pathOf(name)}/points/scroll`, page);
  }

  facet(name: string, asked: { key: string; filter: object; limit: number }): Promise<{ hits: { value: unknown }[] }> {
    return this.#ask("POST", `${pathOf(name)}/facet`, asked);
  }

  /** The points of each search, in the order of the searches. */
  async query(name: string, searches: readonly Query[]): Promise<FoundPoint[][]> {
    const path = `${pathOf(name)}/points/query/batch`;
    const answers = await this.#ask<{ points: FoundPoint[] }[]>("POST", path, { searches });
    return answers.map(({ points }) => points);
  }

  /**
   * @throws {QdrantRefusal} when the server refuses.
   * @throws {QdrantUnreachable} when there is no answer, or one that is not JSON.
   * @throws {DOMException} TimeoutError when the answer does not arrive in time.
   */
  async #ask<T>(
    method: "GET" | "PUT" | "POST" | "DELETE",
    path: string,
    content?: object,
    read = resultOf<T>,
  ): Promise<T> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const body = content ? JSON.stringify(content) : null;
    const request = { method, path: this.#prefix + path, headers: this.#headers, body, signal };
    for (let sends = 1; ; sends++) {
      try {
        const { statusCode, headers, body: answer } = await this.#pool.request(request);
        const text = await answer.text();
        if (statusCode < 300) return read(text);
        throw new QdrantRefusal(statusCode, wordsOf(text), Number(headers["retry-after"] ?? 0) * 1_000 || 0);
      } catch (error) {
        // The server may have closed an idle connection just when the request was sent. Every request is safe to
        // repeat.
        const { code } = error as { code?: unknown };
        if (sends === MAX_SENDS || !CLOSED.has(String(code))) throw transportError(error);
      }
    }
  }
}

const pathOf = (collection: string): string => `/collections/${encodeURIComponent(collection)}`;

/**
 * Errors of the transport have a code of undici or the system. Other errors, such as a TypeError, are this client's
 * own.
 */
function transportError(error: unknown): unknown {
  const { code, name, message } = error as { code?: unknown } & Error;
  if (typeof code !== "string" || OWN_FAULTS.has(code) || name === "TypeError") return error;
  return new QdrantUnreachable(message, { cause: error });
}

function jsonOf<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new QdrantUnreachable("the answer is not JSON", { cause: error });
  }
}

/** The server's description of itself. It is the only answer without a `result`. */
const rootOf = (text: string): { version?: unknown } => jsonOf<{ version?: unknown } | null>(text) ?? {};

function resultOf<T>(text: string): T {
  const answer = jsonOf<{ result?: T } | null>(text);
  if (answer?.result === undefined) throw new QdrantUnreachable("the answer is not one of Qdrant");
  return answer.result;
}

/** The message in an error's body. */
function wordsOf(text: string): string {
  let words = text;
  try {
    const { status } = JSON.parse(text) as { status?: { error?: unknown } };
    if (typeof status?.error === "string") words = status.error;
  } catch {
    // A proxy in front of the server may answer in any format.
  }
  return words.slice(0, MAX_WORDS).replace(/\s+/g, " ").trim();
}
