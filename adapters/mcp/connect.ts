import type {
  Client,
  FetchLike,
  JsonSchemaValidator,
  jsonSchemaValidator,
  Transport,
} from "@modelcontextprotocol/client";
import { statusOf } from "./describe-failure.ts";
import { CONNECT_MS, MAX_CALL_MS } from "./limits.ts";
import { McpError } from "./mcp-error.ts";
import type { McpTransportKind } from "./port.ts";
import { RequestStreams } from "./request-streams.ts";
import type { Sdk } from "./sdk.ts";

/** The transport and protocol of a server, as far as they are known. Connecting then need not detect them again. */
export interface KnownServer {
  kind: McpTransportKind;
  /** The server speaks one of the protocols before 2026-07-28. */
  earlier: boolean;
}

export interface Connection {
  client: Client;
  kind: McpTransportKind;
  /** Says goodbye to the server and ends all running requests. The caller sets the time limit. */
  terminate(): Promise<void>;
}

export interface ConnectOptions {
  sdk: Sdk;
  url: URL;
  fetch: FetchLike;
  /** Aborts the attempt. */
  signal: AbortSignal;
  known: KnownServer | undefined;
  /** Called with each client before it connects. */
  prepare: (client: Client, kind: McpTransportKind) => void;
}

/** A server of the oldest protocol answers a POST with one of these (specification, "Backwards Compatibility"). */
const SSE_HINTS = new Set([400, 404, 405]);
const MIN_RECONNECT_MS = 100;
const MAX_RECONNECT_MS = 60_000;
const MAX_RECONNECTS = 1_000;

/**
 * Schedules the reconnection of a broken stream after the delay that the server asks for, within limits of time and
 * number.
 */
function reconnections(): (reconnect: () => void, delayMs: number) => () => void {
  let left = MAX_RECONNECTS;
  return (reconnect, delayMs) => {
    if (left-- <= 0) return () => undefined;
    const timer = setTimeout(reconnect, Math.min(Math.max(delayMs, MIN_RECONNECT_MS), MAX_RECONNECT_MS)).unref();
    return () => clearTimeout(timer);
  };
}

/**
 * Schemas of foreign servers are not compiled into code in this process. Results are checked in processes that can be
 * ended.
 */
const noValidator: jsonSchemaValidator = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    data => ({ valid: true, data: data as T, errorMessage: undefined }),
};

async function attempt(options: ConnectOptions, kind: McpTransportKind, earlier: boolean): Promise<Connection> {
  const { sdk, url, fetch, signal, prepare } = options;
  signal.throwIfAborted();
  const streamable =
    kind === "sse"
      ? undefined
      : new sdk.StreamableHTTPClientTransport(url, { fetch, reconnectionScheduler: reconnections() });
  const transport = new RequestStreams(streamable ?? sseTransport(sdk, url, fetch));
  const client = new sdk.Client(
    { name: "weft", version: "1" },
    {
      capabilities: {},
      versionNegotiation: { mode: earlier ? "legacy" : "auto", probe: { timeoutMs: CONNECT_MS } },
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: noValidator,
    },
  );
  prepare(client, kind);
  const abandon = () => void transport.close().catch(() => undefined);
  signal.addEventListener("abort", abandon, { once: true });
  try {
    await client.connect(transport, { timeout: MAX_CALL_MS, signal });
    signal.throwIfAborted();
  } catch (error) {
    await transport.close().catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener("abort", abandon);
  }
  return {
    client,
    kind,
    async terminate() {
      await streamable?.terminateSession().catch(() => undefined);
      await client.close();
    },
  };
}

/** HTTP+SSE. The specification deprecates it, but some servers offer only this transport. */
function sseTransport(sdk: Sdk, url: URL, fetch: FetchLike): Transport {
  return new sdk.SSEClientTransport(url, { fetch });
}

/** Whether an answer to the first request may come from a server that accepts only `initialize`. */
function mayBeEarlier(error: unknown): boolean {
  const { code, data } = error as { code?: unknown; data?: { cause?: unknown } };
  const status = statusOf(error);
  if (status !== undefined) return status >= 500;
  const cause = data?.cause;
  const readIt = cause instanceof Error && (cause.name === "SyntaxError" || cause.name === "SdkError");
  return code === "ERA_NEGOTIATION_FAILED" && (cause === undefined || readIt);
}

/**
 * Connects with the newest protocol and transport that both sides support: Streamable HTTP with 2026-07-28, then with
 * the earlier protocols, then HTTP+SSE. A failed attempt leaves no connection open.
 * @throws the library's errors when every attempt fails.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { known } = options;
  if (known?.kind === "sse") return attempt(options, "sse", true);
  try {
    return await attempt(options, "streamable-http", known?.earlier ?? false).catch((error: unknown) => {
      if (known?.earlier || !mayBeEarlier(error)) throw error;
      return attempt(options, "streamable-http", true);
    });
  } catch (error) {
    if (!SSE_HINTS.has(statusOf(error) ?? 0) || options.signal.aborted) throw error;
    return attempt(options, "sse", true).catch((later: unknown) => {
      throw later instanceof McpError ? later : error;
    });
  }
}
