import type { Client, FetchLike } from "@modelcontextprotocol/client";
import { backoffMs } from "../../core/backoff.ts";
import { createAuthorizedFetch } from "./authorized-fetch.ts";
import { type Connection, connect, type KnownServer } from "./connect.ts";
import type { Credentials } from "./credentials.ts";
import { statusOf } from "./describe-failure.ts";
import { CLOSE_MS } from "./limits.ts";
import type { ListenStreamLimit } from "./listen-stream-limit.ts";
import type { SignedFetch } from "./guarded-transport-fetch.ts";
import { McpError } from "./mcp-error.ts";
import type { McpTarget } from "./port.ts";
import type { Sdk } from "./sdk.ts";

export interface SessionOptions {
  sdk: Sdk;
  /** Goes through the outbound guard. The session adds the credential. */
  fetch: SignedFetch;
  credentials: Credentials;
  places: ListenStreamLimit;
  known: KnownServer | undefined;
  signal: AbortSignal;
}

const LIST_CHANGED = "notifications/tools/list_changed";
/** The shortest interval at which change reports of a server are forwarded. */
const CHANGES_EVERY_MS = 5_000;

/** The pauses between requests to listen for changes. */
export const LISTEN_AGAIN = { firstMs: 1_000, mostMs: 60_000 };

/**
 * The number of the next attempt in a row to listen. A stream that was open long enough begins a new row. A refusal, or
 * a stream that ends soon, continues the row. `stoodMs` is how long the stream was open, 0 if it never was.
 */
export const nextListenAttempt = (tries: number, stoodMs: number): number =>
  stoodMs >= LISTEN_AGAIN.mostMs ? 1 : tries + 1;

const isListening = (init: RequestInit = {}) =>
  init.method === "GET" && !new Headers(init.headers).has("last-event-id");

/** One conversation with one server, shared by many calls. `Session.open` may reject with any kind of error. */
export class Session {
  /** Schemas of tools whose arguments are also sent as headers (2026-07-28, "Custom Headers from Tool Parameters"). */
  readonly headerTools = new Map<string, Record<string, unknown>>();
  readonly #options: SessionOptions;
  readonly #url: URL;
  #target: McpTarget;
  #connection: Connection | undefined;
  #leavePlace: (() => void) | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #changedAgain = false;
  #relisten: NodeJS.Timeout | undefined;
  #ended = false;
  /** The underlying error. The library does not always pass it on. */
  #fault: unknown;

  private constructor(target: McpTarget, options: SessionOptions) {
    this.#target = target;
    this.#options = options;
    this.#url = new URL(target.url);
  }

  static async open(target: McpTarget, options: SessionOptions): Promise<Session> {
    const session = new Session(target, options);
    try {
      await session.#connect();
    } catch (error) {
      await session.end();
      throw statusOf(error) === undefined ? (session.#fault ?? error) : error;
    }
    return session;
  }

  get client(): Client {
    if (!this.#connection) throw new McpError("mcp_unreachable", "The session has ended");
    return this.#connection.client;
  }

  get kind() {
    return this.#connection?.kind ?? "streamable-http";
  }

  get isModern(): boolean {
    return this.#connection?.client.getProtocolEra() === "modern";
  }

  /** Set by servers that keep state between calls. */
  get id(): string | undefined {
    return this.#connection?.client.transport?.sessionId;
  }

  get isHealthy(): boolean {
    return !this.#ended && this.#connection?.client.transport !== undefined;
  }

  get listens(): boolean {
    return this.#leavePlace !== undefined && this.#target.onToolsChanged !== undefined;
  }

  /** Takes over the owner's current target. */
  adopt(target: McpTarget): void {
    this.#target = target;
    this.#options.credentials.adopt(target);
  }

  /** Ends the session and fails the calls over it. Never rejects. It takes at most 2 s. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#quiet);
    clearTimeout(this.#relisten);
    const farewell = this.#connection?.terminate().catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>(done => (timer = setTimeout(done, CLOSE_MS).unref()));
    await Promise.race([farewell, late]);
    clearTimeout(timer);
    await this.#connection?.client.close().catch(() => undefined);
    this.#leavePlace?.();
    this.#leavePlace = undefined;
  }

  async #connect(): Promise<void> {
    const { sdk, known, signal, credentials } = this.#options;
    const authorized = createAuthorizedFetch(this.#options.fetch, credentials, this.#url);
    let current: Client | undefined;
    let oldest = false;
    const fetch: FetchLike = async (url, init) => {
      // Refuses the permanent stream of the earlier protocols if the session does not listen, because the stream would
      // hold a connection for nothing.
      if (!oldest && isListening(init) && !this.#mayListen(current)) return new Response(null, { status: 405 });
      return authorized(url, init).catch((error: unknown) => {
        this.#fault = error;
        throw error;
      });
    };
    this.#connection = await connect({
      sdk,
      url: this.#url,
      fetch,
      signal,
      known,
      prepare: (client, kind) => {
        current = client;
        oldest = kind === "sse";
        if (oldest && !this.#takePlace())
          throw new McpError("mcp_busy", `Too many streams of ${this.#url.host} are open`);
        client.setNotificationHandler(LIST_CHANGED, () => this.#changed());
        // This transport has only one stream. Its reconnection would open another session, so the session ends.
        client.onerror = error => {
          if (oldest && "event" in error) void this.end();
        };
      },
    });
    this.#fault = undefined;
    if (this.isModern && this.#mayListen(current)) this.#listen(1);
  }

  #takePlace(): boolean {
    this.#leavePlace ??= this.#options.places.take(this.#url.origin);
    return this.#leavePlace !== undefined;
  }

  #mayListen(client: Client | undefined): boolean {
    const offered = client?.getServerCapabilities()?.tools?.listChanged ?? false;
    return this.#target.onToolsChanged !== undefined && offered && this.#takePlace();
  }

  /**
   * In the protocol of 2026-07-28, the client requests notifications of changes. It repeats the request when the stream
   * breaks.
   */
  #listen(tries: number): void {
    if (this.#ended) return;
    const again = (stoodMs: number) => {
      const next = () => this.#listen(nextListenAttempt(tries, stoodMs));
      if (!this.#ended) this.#relisten = setTimeout(next, backoffMs(LISTEN_AGAIN, tries)).unref();
    };
    this.client.listen({ toolsListChanged: true }, { timeout: LISTEN_AGAIN.mostMs }).then(
      subscription => {
        const began = performance.now();
        return subscription.closed.then(() => again(performance.now() - began));
      },
      () => again(0),
    );
  }

  #changed(): void {
    this.#changedAgain = this.#quiet !== undefined;
    if (this.#changedAgain || this.#ended) return;
    this.#quiet = setTimeout(() => {
      this.#quiet = undefined;
      if (this.#changedAgain) this.#changed();
    }, CHANGES_EVERY_MS).unref();
    this.#target.onToolsChanged?.();
  }
}
