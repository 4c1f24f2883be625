import type { Response } from "undici";
import { outbound } from "../../telemetry/outbound.ts";
import { OutboundError } from "../net/outbound-error.ts";
import type { GuardedFetch } from "../net/port.ts";
import { undici } from "../net/undici.ts";
import { ModelError, Passing } from "./model-error.ts";

/** One request to a model's server. */
export interface ModelPost {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Ends the request at once. */
  signal: AbortSignal;
  /** The time limit, to the end of the answer. */
  timeoutMs: number;
  maxBytes: number;
}

/** What came back, whatever its status says. */
export interface ModelReply {
  status: number;
  retryAfter: string | undefined;
  text: string;
}

/** How requests reach a model's server. Redirects are not followed, because the key is for one server. */
export interface Transport {
  /** @throws {Passing} when another attempt may succeed; {ModelError} when it cannot; any error after an abort. */
  send(post: ModelPost): Promise<ModelReply>;
  close(): Promise<void>;
}

const tooLarge = (maxBytes: number) =>
  new ModelError("model_bad_output", `The answer is larger than ${maxBytes} bytes`);
const tooSlow = (ms: number) => new Passing(new ModelError("model_timeout", `The model took longer than ${ms} ms`));
const unreachable = (why: string, cause: unknown) =>
  new Passing(new ModelError("model_unavailable", `The model's server cannot be reached${why}`, { cause }));

async function textOf(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function faultOf(error: unknown): string {
  const { code } = error instanceof Passing ? error.failure : ((error ?? {}) as { code?: unknown });
  return error instanceof ModelError || error instanceof Passing ? String(code) : "aborted";
}

/** Calls a server at an address that the operator chose, so no guard applies. */
export function directTransport(): Transport {
  const client = undici();
  const agent = new client.Agent({ connectTimeout: 10_000, headersTimeout: 0, bodyTimeout: 0 });

  async function once({ url, headers, body, signal, timeoutMs, maxBytes }: ModelPost, answered: (s: number) => void) {
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
      const text = await textOf(response, maxBytes);
      return { status: response.status, retryAfter: response.headers.get("retry-after") ?? undefined, text };
    } catch (error) {
      if (signal.aborted || error instanceof ModelError) throw error;
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

/** Calls a server at an address that a user chose, through the outbound guard. `mayCall` refuses hosts of others. */
export function guardedTransport(fetch: GuardedFetch["fetch"], mayCall: (url: URL) => boolean): Transport {
  return {
    async send({ signal, timeoutMs, maxBytes, ...request }) {
      try {
        const { status, headers, body } = await fetch({
          ...{ ...request, method: "POST", signal, timeoutMs, maxBytes, maxRedirects: 0 },
          sign({ url, headers }) {
            if (mayCall(url)) return { url, headers };
            throw new ModelError("model_refused", `The credential may not be sent to ${url.host}`);
          },
        });
        return { status, retryAfter: headers["retry-after"], text: Buffer.from(body).toString("utf8") };
      } catch (error) {
        if (signal.aborted || !(error instanceof OutboundError)) throw error;
        if (error.code === "outbound_refused") throw new ModelError("model_refused", error.message);
        if (error.code === "response_too_large") throw tooLarge(maxBytes);
        if (error.code === "outbound_timeout") throw tooSlow(timeoutMs);
        throw unreachable(`: ${error.message}`, undefined);
      }
    },
    // The guard is shared, and ends with the service.
    close: () => Promise.resolve(),
  };
}
