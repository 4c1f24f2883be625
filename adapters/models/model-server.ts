import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "../../core/backoff.ts";
import type { Mask } from "../../core/credentials/mask.ts";
import { retryAfterMs } from "../../core/http-retry.ts";
import { Gate } from "../processes/gate.ts";
import { fromGateError, ModelError, TransientModelError } from "./model-error.ts";
import type { CallOptions } from "./port.ts";
import { refusalText } from "./refusal-text.ts";
import type { ModelReply, Transport } from "./transport.ts";

export interface ServerAddress {
  /** Includes the version: `https://api.openai.com/v1`, `http://localhost:11434/v1`. */
  baseUrl: string;
  /** Headers of every request, including the one with the key. They replace those of a request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Hides the key in the server's words. */
  mask?: Mask | undefined;
}

export interface ServerLimits {
  /** Maximum number of running calls. */
  concurrency: number;
  /** Maximum number of waiting calls. A group may have a quarter of it. Further calls are refused. */
  maxQueue: number;
  /** The time limit of one attempt, to the end of its answer. */
  tryMs: number;
  /** The time limit of all attempts, including the waits for a turn and between attempts. */
  totalMs: number;
  maxTries: number;
  maxAnswerBytes: number;
  /** The first wait, in ms, if the server names none. Each further wait is twice as long. */
  backoffMs: number;
}

/** Assembles an answer that arrives as an event stream. */
export interface EventReader {
  push(piece: Uint8Array): void;
  /** The JSON that a non-streamed answer would have. */
  whole(): unknown;
}

interface PostOptions extends CallOptions {
  /** Creates a reader for each attempt, if the server answers with an event stream. */
  reader?: (() => EventReader) | undefined;
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

const BACKOFF = { mostMs: 30_000, spread: [0.8, 1.2] } as const;
const PASSING = new Set([408, 409, 425, 429]);

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1_000));

/**
 * A server with models, whatever its protocol is. Transient failures (429, 5xx, a broken connection, a truncated
 * answer) are retried within limits of time and number.
 */
export class ModelServer {
  readonly baseUrl: string;
  readonly #closing = new AbortController();
  readonly #headers: Readonly<Record<string, string>>;
  readonly #limits: ServerLimits;
  readonly #gate: Gate;
  readonly #transport: Transport;
  readonly #mask: Mask;

  constructor(
    { baseUrl, headers = {}, mask = value => value }: ServerAddress,
    limits: ServerLimits,
    transport: Transport,
  ) {
    this.baseUrl = baseUrl.replace(/\/+$/, "");
    this.#headers = { "content-type": "application/json", ...headers };
    this.#limits = limits;
    this.#gate = new Gate({ atOnce: limits.concurrency, waiting: limits.maxQueue });
    this.#transport = transport;
    this.#mask = mask;
  }

  get isIdle(): boolean {
    return this.#gate.isIdle;
  }

  /**
   * Posts a body to a path below the base URL and returns the JSON of the answer.
   * @throws {ServerRefusal} when the server refuses the request.
   * @throws {ModelError} when the call fails otherwise.
   */
  post(path: string, body: unknown, options: PostOptions): Promise<unknown> {
    return this.exchange(this.baseUrl + path, {}, JSON.stringify(body), options);
  }

  /** Like `post`, with a whole URL and with headers in addition to the server's own. The body is JSON. */
  async exchange(
    url: string,
    headers: Readonly<Record<string, string>>,
    json: string,
    { signal, group = "", reader }: PostOptions,
  ): Promise<unknown> {
    const { totalMs } = this.#limits;
    const late = AbortSignal.timeout(totalMs);
    const end = performance.now() + totalMs;
    const limit = AbortSignal.any([late, this.#closing.signal, ...(signal ? [signal] : [])]);
    const sent = { url, headers: { ...headers, ...this.#headers }, body: json };
    try {
      return await this.#gate.run(group, () => this.#tryAll(sent, limit, end, reader), limit);
    } catch (thrown) {
      const error = fromGateError(thrown);
      if (error instanceof ModelError) throw error;
      if (signal?.aborted) throw new ModelError("model_aborted", "The call was cancelled", { cause: error });
      if (this.#closing.signal.aborted) throw new ModelError("model_unavailable", "The service is stopping");
      if (late.aborted) throw new ModelError("model_timeout", `The model took longer than ${totalMs} ms`);
      throw new ModelError("model_unavailable", "The call to the model failed", { cause: error });
    }
  }

  async #tryAll(
    sent: { url: string; headers: Record<string, string>; body: string },
    limit: AbortSignal,
    end: number,
    reader: PostOptions["reader"],
  ): Promise<unknown> {
    const { maxTries, backoffMs: firstMs, tryMs: timeoutMs, maxAnswerBytes: maxBytes } = this.#limits;
    for (let tries = 1; ; tries++) {
      try {
        const events = reader?.();
        const onEvents = events && (() => (piece: Uint8Array) => events.push(piece));
        const reply = await this.#transport.send({ ...sent, signal: limit, timeoutMs, maxBytes, onEvents });
        return events && reply.streamed ? this.#mask(events.whole()) : this.#read(reply);
      } catch (error) {
        if (!(error instanceof TransientModelError)) throw error;
        const waitMs = error.waitMs ?? backoffMs({ firstMs, ...BACKOFF }, tries, Math.random());
        if (tries >= maxTries || performance.now() + waitMs >= end) throw error.failure;
        await sleep(waitMs, undefined, { signal: limit });
      }
    }
  }

  #read(reply: ModelReply): unknown {
    if (reply.status < 200 || reply.status > 299) throw failureOf({ ...reply, text: this.#mask(reply.text) });
    let answer: unknown;
    try {
      answer = JSON.parse(reply.text) as unknown;
    } catch {
      throw new TransientModelError(
        new ModelError("model_bad_output", "The model's server answered with a body that is not JSON"),
      );
    }
    return this.#mask(answer);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#transport.close();
  }
}

function failureOf({ status, text, retryAfter }: ModelReply): Error {
  const words = refusalText(text);
  // A used-up quota is not restored by waiting.
  const isPassing = status >= 500 ? status !== 501 : PASSING.has(status) && !/insufficient_quota/.test(text);
  if (!isPassing) return new ServerRefusal(status, words);
  const waitMs = retryAfterMs(retryAfter, Date.now());
  const retryAfterSeconds = waitMs === undefined ? {} : { retryAfterSeconds: seconds(waitMs) };
  const what = status === 429 ? "The model's server has had too many calls" : `The model's server answered ${status}`;
  const message = words ? `${what}: ${words}` : what;
  return new TransientModelError(new ModelError("model_unavailable", message, retryAfterSeconds), waitMs);
}
