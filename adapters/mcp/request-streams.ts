import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  RequestId,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/client";
import { STREAM_ENDED } from "./describe-failure.ts";
import { CLOSE_MS, REQUEST_MS, STREAM_END_MS } from "./limits.ts";

/**
 * The key under which the tools of a page are set aside. The library's schema would refuse the whole page because of
 * one invalid tool.
 */
export const TOOLS_ASIDE = "weft/tools";
/** The most requests of the server that are answered at the same time. Further ones get no answer. */
const MAX_ANSWERING = 8;

interface OpenRequest {
  method: string;
  abort: AbortController;
  answered: boolean;
  timer?: NodeJS.Timeout;
}

const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest => "method" in message && "id" in message;
const isNotice = (message: JSONRPCMessage): message is JSONRPCNotification => "method" in message && !("id" in message);
const isAnswer = (message: JSONRPCMessage) => "result" in message || "error" in message;

/**
 * Wraps an official transport so that every request ends. The transport alone leaves open a request whose stream ends
 * before the answer, a stream after its answer, and, in the earlier protocols, the stream of a cancelled request.
 */
export class RequestStreams implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"];
  readonly #inner: Transport;
  readonly #open = new Map<RequestId, OpenRequest>();
  readonly #notices = new Set<Promise<void>>();
  #answering = 0;

  constructor(inner: Transport) {
    this.#inner = inner;
    inner.onclose = () => {
      for (const { timer } of this.#open.values()) clearTimeout(timer);
      this.#open.clear();
      this.onclose?.();
    };
    inner.onerror = error => this.onerror?.(error);
    inner.onmessage = (message, extra) => {
      const received = this.#receive(message);
      // The library delivers notifications a moment after their arrival. Without this delay, an answer would overtake
      // the last progress notification.
      if (isAnswer(message)) queueMicrotask(() => this.onmessage?.(received, extra));
      else this.onmessage?.(received, extra);
    };
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  /** The protocol of 2026-07-28 cancels a request by closing the request's own stream, if it has one. */
  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream ?? false;
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (isRequest(message)) return this.#request(message, options);
    if (isAnswer(message)) return this.#answer(message, options);
    const cancelled = isNotice(message) && message.method === "notifications/cancelled" ? message : undefined;
    if (cancelled) return this.#cancel(cancelled, options);
    return this.#notify(message, options);
  }

  /** Waits, within a time limit, until pending notifications are sent. Then it closes. */
  async close(): Promise<void> {
    if (this.#notices.size > 0) {
      await Promise.race([Promise.allSettled(this.#notices), new Promise(done => setTimeout(done, CLOSE_MS).unref())]);
    }
    await this.#inner.close();
  }

  async #request(message: JSONRPCRequest, options: TransportSendOptions = {}): Promise<void> {
    const { id, method } = message;
    const abort = new AbortController();
    this.#open.set(id, { method, abort, answered: false });
    try {
      await this.#inner.send(message, {
        ...options,
        requestSignal: options.requestSignal ? AbortSignal.any([options.requestSignal, abort.signal]) : abort.signal,
        onRequestStreamEnd: () => {
          options.onRequestStreamEnd?.();
          this.#ended(id);
        },
      });
    } catch (error) {
      this.#forget(id);
      throw error;
    }
    // An answer that arrived at once did not come over a stream.
    if (this.#open.get(id)?.answered) this.#forget(id);
  }

  async #answer(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#answering >= MAX_ANSWERING) return;
    this.#answering++;
    try {
      await this.#inner.send(message, { ...options, requestSignal: AbortSignal.timeout(REQUEST_MS) });
    } finally {
      this.#answering--;
    }
  }

  async #notify(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const sent = this.#inner.send(message, { ...options, requestSignal: AbortSignal.timeout(REQUEST_MS) });
    this.#notices.add(sent);
    try {
      await sent;
    } finally {
      this.#notices.delete(sent);
    }
  }

  async #cancel(message: JSONRPCNotification, options?: TransportSendOptions): Promise<void> {
    const requestId = message.params?.requestId as RequestId;
    const plain = {
      ...message,
      params: { ...message.params, requestId, reason: "The caller does not wait any longer" },
    };
    try {
      await this.#notify(plain, options);
    } finally {
      this.#open.get(requestId)?.abort.abort();
      this.#forget(requestId);
    }
  }

  #forget(id: RequestId): void {
    clearTimeout(this.#open.get(id)?.timer);
    this.#open.delete(id);
  }

  #ended(id: RequestId): void {
    const request = this.#open.get(id);
    this.#forget(id);
    if (!request || request.answered) return;
    const answer: JSONRPCErrorResponse = { jsonrpc: "2.0", id, error: { code: -32_000, message: STREAM_ENDED } };
    this.onmessage?.(answer);
  }

  #receive<T extends JSONRPCMessage>(message: T): T {
    if (!isAnswer(message)) return message;
    const { id, result } = message as { id?: RequestId; result?: Record<string, unknown> };
    const request = id === undefined ? undefined : this.#open.get(id);
    if (!request) return message;
    request.answered = true;
    request.timer = setTimeout(() => {
      request.abort.abort();
      if (id !== undefined) this.#forget(id);
    }, STREAM_END_MS).unref();
    if (request.method !== "tools/list" || !result) return message;
    const { tools, _meta: meta } = result;
    return { ...message, result: { ...result, tools: [], _meta: { ...(meta as object), [TOOLS_ASIDE]: tools } } };
  }
}
