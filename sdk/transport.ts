import { errorOf, WeftConnectionError, WeftError } from "./errors.ts";
import type { ApiRequest } from "./request.ts";
import { pause, retryDelayMs } from "./retry.ts";

/**
 * Returns the bearer token for the next request, or undefined for none. `refused` is the previous token if the service
 * did not accept it; the request is then tried once more with another token.
 */
export type TokenSource = (refused?: string) => string | undefined | Promise<string | undefined>;

/** The options of one call. */
export interface CallOptions {
  /** Aborts the call with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * The time limit of each try, including its response, in milliseconds. Default: 30 s. The time that the service was
   * asked to wait is added.
   */
  timeoutMs?: number | undefined;
  /** How often a request is retried after a temporary failure. Default: 3. */
  maxRetries?: number | undefined;
  /**
   * The idempotency key of a call that creates something. Store it to repeat the same call later. Default: a random
   * key.
   */
  idempotencyKey?: string | undefined;
  /** Further headers, such as `x-request-id`. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface TransportOptions {
  /** The address of the service, such as `https://weft.example.com`. */
  url: string;
  /** An API key, the access token of a sign-in, or a function that returns one. */
  token?: string | TokenSource | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

export interface Received {
  response: Response;
  /** The parsed JSON body; null if there is none. */
  body: unknown;
}

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 3;

/** 128 random bits. `crypto.randomUUID` is missing on pages served over plain HTTP. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether the error is one that `fetch` throws when it fails, or that reading throws when the connection breaks. */
export function isNetworkError(error: unknown): error is TypeError {
  // Compares the name, because tests and frames with their own globals have another class.
  return (error as { name?: unknown } | null)?.name === "TypeError";
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text().catch(broken("The connection broke off"));
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const broken = (message: string) => (error: unknown) => {
  throw isNetworkError(error) ? new WeftConnectionError(message, { cause: error.cause ?? error }) : error;
};

const urlProblem = (url: string) => new TypeError(`The url is ${JSON.stringify(url)}, expected http:// or https://`);

/** Sends requests to one service with the credentials of one caller. */
export class Transport {
  readonly #base: string;
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    if (!/^https?:\/\/[^/]/i.test(options.url)) throw urlProblem(options.url);
    this.#base = options.url.replace(/\/+$/, "");
    this.#options = options;
  }

  /**
   * Sends a request and retries it after temporary failures. Creating and safe requests are retried after any such
   * failure, others only if they certainly had no effect.
   * @throws {WeftError} when the service refuses the request
   * @throws {WeftConnectionError} when no response arrives; an abort throws the signal's reason
   */
  async send(request: ApiRequest, creates: boolean, options: CallOptions): Promise<Received> {
    const { maxRetries = this.#options.maxRetries ?? MAX_RETRIES, signal, idempotencyKey } = options;
    const key: Record<string, string> = creates ? { "idempotency-key": idempotencyKey ?? newIdempotencyKey() } : {};
    const repeatable = creates || request.method === "GET" || request.method === "DELETE";
    const timeoutMs = (options.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS) + request.waitMs;
    const keyed = { ...request, headers: { ...request.headers, ...key, ...options.headers } };
    for (let failures = 1; ; failures++) {
      try {
        return await this.#within(timeoutMs, signal, async limit => {
          const response = await this.#authorized(keyed, limit);
          return { response, body: await bodyOf(response) };
        });
      } catch (error) {
        const delay = failures <= maxRetries ? retryDelayMs(error, failures, repeatable) : undefined;
        if (delay === undefined) throw error;
        await pause(delay, signal);
      }
    }
  }

  /** Sends a request once, and returns its response as soon as it begins. `signal` also aborts reading the body. */
  open(request: ApiRequest, signal: AbortSignal): Promise<Response> {
    return this.#within(undefined, signal, limit => this.#authorized(request, limit));
  }

  async #within<T>(
    timeoutMs: number | undefined,
    signal: AbortSignal | undefined,
    work: (limit: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const late = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    try {
      return await work(AbortSignal.any([signal, late].filter(one => one !== undefined)));
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (late?.aborted) {
        throw new WeftConnectionError(`No answer from ${this.#base} within ${timeoutMs} ms`, { timedOut: true });
      }
      throw error;
    }
  }

  async #authorized(request: ApiRequest, signal: AbortSignal): Promise<Response> {
    const { token } = this.#options;
    if (typeof token !== "function") return this.#fetch(request, token, signal);
    const given = await token();
    try {
      return await this.#fetch(request, given, signal);
    } catch (error) {
      const refused = error instanceof WeftError && error.code === "unauthenticated";
      const other = refused && given !== undefined ? await token(given) : undefined;
      if (other === undefined || other === given) throw error;
      return this.#fetch(request, other, signal);
    }
  }

  async #fetch({ method, path, headers, body }: ApiRequest, token: string | undefined, signal: AbortSignal) {
    const { fetch: send = fetch } = this.#options;
    const sent = new Headers({ accept: "application/json", ...headers });
    if (token !== undefined) sent.set("authorization", `Bearer ${token}`);
    const response = await send(this.#base + path, {
      method,
      headers: sent,
      ...(body !== undefined && { body }),
      signal,
      // The API never redirects, and credentials must not follow a redirect to another host.
      redirect: "error",
    }).catch(broken(`${this.#base} cannot be reached`));
    if (!response.ok) throw errorOf(response, await bodyOf(response));
    return response;
  }
}
