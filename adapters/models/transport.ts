import { outbound } from "../../telemetry/outbound.ts";
import { OutboundError } from "../net/outbound-error.ts";
import type { GuardedFetch, OutboundRequest } from "../net/port.ts";
import { undici } from "../net/undici.ts";
import { ModelError, TransientModelError } from "./model-error.ts";

/** One request to a model's server. */
export interface ModelPost {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Aborts the request. */
  signal: AbortSignal;
  /** The time limit until the end of the answer, in ms. */
  timeoutMs: number;
  maxBytes: number;
  /** Called when an event stream begins. The returned function takes each piece. The pieces are not kept elsewhere. */
  onEvents?: (() => (piece: Uint8Array) => void) | undefined;
}

/** The response, whatever its status is. */
export interface ModelReply {
  status: number;
  retryAfter: string | undefined;
  /** Empty if the answer was an event stream that was read. */
  text: string;
  streamed?: boolean;
}

/** Sends requests to a model's server. Redirects are not followed, because the key is for one server. */
export interface Transport {
  /** @throws {TransientModelError} when another attempt may succeed; {ModelError} when it cannot; any error after an abort. */
  send(post: ModelPost): Promise<ModelReply>;
  close(): Promise<void>;
}

const tooLarge = (maxBytes: number) =>
  new ModelError("model_bad_output", `The answer is larger than ${maxBytes} bytes`);
const tooSlow = (ms: number) =>
  new TransientModelError(new ModelError("model_timeout", `The model took longer than ${ms} ms`));
const unreachable = (why: string, cause: unknown) =>
  new TransientModelError(new ModelError("model_unavailable", `The model's server cannot be reached${why}`, { cause }));

/** How much larger a stream may be than its content. Each event repeats the name of the model, and more. */
const STREAM_OVERHEAD = 16;

interface Body {
  status: number;
  type: string | null | undefined;
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Reads an answer to its end. If it is an event stream, its pieces go to `onEvents`. */
async function readBody(
  { status, type, body }: Body,
  { maxBytes, onEvents }: Pick<ModelPost, "maxBytes" | "onEvents">,
): Promise<Pick<ModelReply, "text" | "streamed">> {
  const isStream = status === 200 && /^text\/event-stream/i.test(type ?? "");
  const take = isStream ? onEvents?.() : undefined;
  const most = take ? maxBytes * STREAM_OVERHEAD : maxBytes;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) throw tooLarge(maxBytes);
    if (take) take(chunk);
    else chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString("utf8"), ...(take && { streamed: true }) };
}

function faultOf(error: unknown): string {
  const { code } = error instanceof TransientModelError ? error.failure : ((error ?? {}) as { code?: unknown });
  return error instanceof ModelError || error instanceof TransientModelError ? String(code) : "aborted";
}

/** Calls a server at an address that the operator chose, so no guard applies. */
export function directTransport(): Transport {
  const client = undici();
  const agent = new client.Agent({ connectTimeout: 10_000, headersTimeout: 0, bodyTimeout: 0 });

  async function once(post: ModelPost, answered: (s: number) => void): Promise<ModelReply> {
    const { url, headers, body, signal, timeoutMs } = post;
    const late = AbortSignal.timeout(timeoutMs);
    try {
      const init = {
        method: "POST",
        headers,
        body,
        redirect: "error",
        signal: AbortSignal.any([signal, late]),
      } as const;
      const response = await client.fetch(url, { ...init, dispatcher: agent });
      answered(response.status);
      const { status } = response;
      const type = response.headers.get("content-type");
      const read = await readBody({ status, type, body: (response.body ?? []) as AsyncIterable<Uint8Array> }, post);
      return { status, retryAfter: response.headers.get("retry-after") ?? undefined, ...read };
    } catch (error) {
      if (signal.aborted || error instanceof ModelError || error instanceof TransientModelError) throw error;
      if (late.aborted) throw tooSlow(timeoutMs);
      const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
      throw unreachable(typeof code === "string" ? ` (${code})` : "", error);
    }
  }

  return {
    send: post =>
      outbound({ kind: "model", method: "POST", url: post.url, faultOf }, call => {
        const headers = { ...post.headers, ...(call.traceparent !== undefined && { traceparent: call.traceparent }) };
        return once({ ...post, headers }, status => call.answered(status));
      }),
    close: () => agent.destroy(),
  };
}

/**
 * Calls a server at an address that a user chose, through the outbound guard. `mayCall` refuses hosts that the
 * credential is not for.
 */
export function guardedTransport(
  { fetch, stream }: Pick<GuardedFetch, "fetch"> & Partial<Pick<GuardedFetch, "stream">>,
  mayCall: (url: URL) => boolean,
  /** Waits for a place, and holds it during a whole call. */
  inTurn: <T>(call: () => Promise<T>, signal: AbortSignal) => Promise<T>,
): Transport {
  return {
    async send({ signal, timeoutMs, maxBytes, onEvents, ...request }) {
      const sent: OutboundRequest = {
        ...{ ...request, method: "POST", signal, timeoutMs, maxRedirects: 0 },
        sign({ url, headers }) {
          if (mayCall(url)) return { url, headers };
          throw new ModelError("model_refused", `The credential may not be sent to ${url.host}`);
        },
      };
      try {
        return await inTurn(async () => {
          const streams = onEvents && stream ? { onEvents, stream } : undefined;
          const { status, headers, body } = streams
            ? await streams.stream({ ...sent, decode: true, maxBytes: maxBytes * STREAM_OVERHEAD })
            : await fetch({ ...sent, maxBytes });
          const pieces = body instanceof Uint8Array ? [body] : body;
          const read = await readBody({ status, type: headers["content-type"], body: pieces }, { maxBytes, onEvents });
          return { status, retryAfter: headers["retry-after"], ...read };
        }, signal);
      } catch (error) {
        if (signal.aborted || !(error instanceof OutboundError)) throw error;
        if (error.code === "outbound_refused") throw new ModelError("model_refused", error.message);
        if (error.code === "response_too_large") throw tooLarge(maxBytes);
        if (error.code === "outbound_timeout") throw tooSlow(timeoutMs);
        throw unreachable(`: ${error.message}`, undefined);
      }
    },
    // The guard is shared, and the service closes it.
    close: () => Promise.resolve(),
  };
}
