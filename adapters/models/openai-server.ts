import { setTimeout as sleep } from "node:timers/promises";
import type { Response } from "undici";
import { outbound } from "../../telemetry/outbound.ts";
import { undici } from "../net/undici.ts";
import { backoffMs } from "../../core/backoff.ts";
import { retryAfterMs } from "../../core/http-retry.ts";
import { Gate } from "../processes/gate.ts";
import { ModelError, ofGate } from "./model-error.ts";
import type { CallOptions } from "./port.ts";

export interface ServerAddress {
  /** Up to and including the version: `https://api.openai.com/v1`, `http://localhost:11434/v1`. */
  baseUrl: string;
  apiKey?: string | undefined;
}

export interface ServerLimits {
  /** Maximum number of calls under way. */
  concurrency: number;
  /** Maximum number of waiting calls, a quarter of it per group. Further calls are refused. */
  maxQueue: number;
  /** The time limit of one attempt, to the end of its answer. */
  tryMs: number;
  /** The time limit of all attempts, including the waits for a turn and between attempts. */
  totalMs: number;
  maxTries: number;
  maxAnswerBytes: number;
  /** The first wait when the server names none. Each further wait is twice as long. */
  backoffMs: number;
}

/** The server received the request and refused it permanently, with `status` and its own words. */
export class ServerRefusal extends ModelError {
  readonly status: number;
  readonly words: string;

  constructor(status: number, words: string) {
    super("model_refused", `The model's server answered ${status}${words ? `: ${words}` : ""}`);
    this.status = status;
    this.words = words;
  }
}

const MAX_WORDS = 300;
/** Base64, which is longer than any word. */
const FILE_BYTES = /[A-Za-z0-9+/]{100,}={0,2}/g;
const BACKOFF = { mostMs: 30_000, spread: [0.8, 1.2] } as const;
const PASSING = new Set([408, 409, 425, 429]);

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1_000));

/** Extracts the server's own words, in the forms of OpenAI, TEI and FastAPI. */
function wordsIn(text: string): string {
  let words: unknown = text;
  try {
    const body = JSON.parse(text) as { error?: unknown; message?: unknown; detail?: unknown };
    const error = (body.error ?? body) as { message?: unknown };
    words = typeof body.error === "string" ? body.error : (error.message ?? body.message ?? body.detail);
    if (typeof words !== "string") words = text;
  } catch {
    // The error pages of proxies say nothing useful.
    if (text.trimStart().startsWith("<")) words = "";
  }
  // A server may repeat a file that it does not like.
  return String(words).replace(FILE_BYTES, "…").replace(/\s+/g, " ").slice(0, MAX_WORDS);
}

async function textOf(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > maxBytes) throw new ModelError("model_bad_output", `The answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** A transient failure: another attempt may succeed. */
class Passing extends Error {
  readonly failure: ModelError;
  readonly waitMs: number | undefined;

  constructor(failure: ModelError, waitMs?: number) {
    super(failure.message);
    this.failure = failure;
    this.waitMs = waitMs;
  }
}

function faultOf(error: unknown): string {
  const { code } = error instanceof Passing ? error.failure : ((error ?? {}) as { code?: unknown });
  return error instanceof ModelError || error instanceof Passing ? String(code) : "aborted";
}

/**
 * A server that speaks OpenAI's protocol, at an address that the operator chose. Transient failures (429, 5xx, a broken
 * connection, a truncated answer) are retried within limits of time and number.
 */
export class OpenAiServer {
  readonly #client = undici();
  readonly #agent = new this.#client.Agent({ connectTimeout: 10_000, headersTimeout: 0, bodyTimeout: 0 });
  readonly #closing = new AbortController();
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #limits: ServerLimits;
  readonly #gate: Gate;

  constructor({ baseUrl, apiKey }: ServerAddress, limits: ServerLimits) {
    this.#base = baseUrl.replace(/\/+$/, "");
    this.#headers = { "content-type": "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) };
    this.#limits = limits;
    this.#gate = new Gate({ atOnce: limits.concurrency, waiting: limits.maxQueue });
  }

  /**
   * Posts a body and returns the JSON of the answer.
   * @throws {ServerRefusal} when the server refuses the request.
   * @throws {ModelError} when the call fails otherwise.
   */
  async post(path: string, body: unknown, { signal, group = "" }: CallOptions): Promise<unknown> {
    const { totalMs } = this.#limits;
    const late = AbortSignal.timeout(totalMs);
    const end = performance.now() + totalMs;
    const limit = AbortSignal.any([late, this.#closing.signal, ...(signal ? [signal] : [])]);
    const json = JSON.stringify(body);
    try {
      return await this.#gate.run(group, () => this.#tryAll(path, json, limit, end), limit);
    } catch (thrown) {
      const error = ofGate(thrown);
      if (error instanceof ModelError) throw error;
      if (signal?.aborted) throw new ModelError("model_aborted", "The call was cancelled", { cause: error });
      if (this.#closing.signal.aborted) throw new ModelError("model_unavailable", "The service is stopping");
      if (late.aborted) throw new ModelError("model_timeout", `The model took longer than ${totalMs} ms`);
      throw new ModelError("model_unavailable", "The call to the model failed", { cause: error });
    }
  }

  async #tryAll(path: string, json: string, limit: AbortSignal, end: number): Promise<unknown> {
    const { maxTries, backoffMs: firstMs } = this.#limits;
    for (let tries = 1; ; tries++) {
      try {
        return await this.#observed(path, json, limit);
      } catch (error) {
        if (!(error instanceof Passing)) throw error;
        const waitMs = error.waitMs ?? backoffMs({ firstMs, ...BACKOFF }, tries, Math.random());
        if (tries >= maxTries || performance.now() + waitMs >= end) throw error.failure;
        await sleep(waitMs, undefined, { signal: limit });
      }
    }
  }

  #observed(path: string, json: string, limit: AbortSignal): Promise<unknown> {
    const url = this.#base + path;
    return outbound({ kind: "model", method: "POST", url, faultOf }, call =>
      this.#tryOnce(url, json, limit, call.traceparent, status => call.answered(status)),
    );
  }

  async #tryOnce(
    url: string,
    json: string,
    limit: AbortSignal,
    traceparent: string | undefined,
    answered: (status: number) => void,
  ): Promise<unknown> {
    const { tryMs, maxAnswerBytes } = this.#limits;
    const late = AbortSignal.timeout(tryMs);
    let response: Response;
    let text: string;
    try {
      const signal = AbortSignal.any([limit, late]);
      const headers = { ...this.#headers, ...(traceparent !== undefined && { traceparent }) };
      const init = { method: "POST", headers, body: json, redirect: "error", signal } as const;
      response = await this.#client.fetch(url, { ...init, dispatcher: this.#agent });
      answered(response.status);
      text = await textOf(response, maxAnswerBytes);
    } catch (error) {
      if (limit.aborted || error instanceof ModelError) throw error;
      if (late.aborted) throw new Passing(new ModelError("model_timeout", `The model took longer than ${tryMs} ms`));
      const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
      const why = typeof code === "string" ? ` (${code})` : "";
      throw new Passing(
        new ModelError("model_unavailable", `The model's server cannot be reached${why}`, { cause: error }),
      );
    }
    if (!response.ok) throw this.#failure(response, wordsIn(text), text);
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new Passing(new ModelError("model_bad_output", "The model's server answered with a body that is not JSON"));
    }
  }

  #failure(response: Response, words: string, text: string): Error {
    const { status } = response;
    // A used-up quota comes back with money, not with time.
    const isPassing = status >= 500 ? status !== 501 : PASSING.has(status) && !/insufficient_quota/.test(text);
    if (!isPassing) return new ServerRefusal(status, words);
    const waitMs = retryAfterMs(response.headers.get("retry-after") ?? undefined, Date.now());
    const retryAfterSeconds = waitMs === undefined ? {} : { retryAfterSeconds: seconds(waitMs) };
    const what = status === 429 ? "The model's server has had too many calls" : `The model's server answered ${status}`;
    const message = words ? `${what}: ${words}` : what;
    return new Passing(new ModelError("model_unavailable", message, retryAfterSeconds), waitMs);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#agent.destroy();
  }
}
