import { Worker } from "node:worker_threads";
import { StoreBusyError, StoreTimeoutError, StoreUnavailableError } from "../errors.ts";
import { packed } from "./packed-writes.ts";
import type { ThreadSettings, WireOp, WireReply, WireRequest, WriterSettings } from "./protocol.ts";

export interface WriterLimits {
  /** The maximum number of waiting requests, and of the characters of their documents. */
  maxWaiting: number;
  maxWaitingChars: number;
  timeoutMs: number;
  /** A process on the file that shows no activity for this time, in ms, is considered dead. */
  deadAfterMs: number;
}

export const WRITER_LIMITS: WriterLimits = {
  maxWaiting: 100_000,
  maxWaitingChars: 256 * 1024 * 1024,
  timeoutMs: 15_000,
  deadAfterMs: 10_000,
};

/** This number of requests is sent immediately, before the current turn of the event loop ends. */
const EAGER = 8;

interface Waiting {
  resolve(reply: WireReply): void;
  reject(error: Error): void;
  weight: number;
  deadline: number;
  settled: boolean;
}

/**
 * The calling thread's side of the writer thread. Requests of one turn of the event loop are sent in one message and
 * answered in order. Requests fail with StoreBusyError, StoreTimeoutError or, once the thread is gone,
 * StoreUnavailableError.
 */
export class Writer {
  /** This process's number on the file. */
  readonly self: Int32Array;
  readonly #worker: Worker;
  readonly #limits: WriterLimits;
  readonly #watch: NodeJS.Timeout;
  #outbox: WireRequest[] = [];
  #waiting: Waiting[] = [];
  /** The number of answered entries in `#waiting`. They are removed from time to time. */
  #answered = 0;
  #chars = 0;
  #gone: StoreUnavailableError | null = null;

  private constructor(worker: Worker, self: Int32Array, limits: WriterLimits) {
    this.self = self;
    this.#worker = worker;
    this.#limits = limits;
    worker.on("message", (replies: WireReply[]) => replies.forEach(reply => this.#answer(reply)));
    worker.on("error", error => this.#fail(`the writer thread failed: ${String(error)}`));
    worker.on("exit", () => this.#fail("the writer thread has ended"));
    this.#watch = setInterval(() => this.#expire(performance.now()), Math.min(1000, limits.timeoutMs));
    this.#watch.unref();
  }

  static async start(settings: ThreadSettings, limits: WriterLimits = WRITER_LIMITS): Promise<Writer> {
    const self = new Int32Array(new SharedArrayBuffer(4));
    const workerData: WriterSettings = { ...settings, deadAfterMs: limits.deadAfterMs, self };
    const worker = new Worker(new URL("./writer-thread.ts", import.meta.url), { workerData });
    const writer = new Writer(worker, self, limits);
    try {
      // The thread's first reply belongs to no request. It says that the file is open.
      await writer.#enqueue(0, WRITER_LIMITS.timeoutMs);
      return writer;
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  }

  /** `weight` is the number of characters in the operations. */
  write(ops: readonly WireOp[], weight = 0): Promise<WireReply> {
    return this.request(packed(ops), weight);
  }

  /** `weight` is the number of characters in the request. */
  request(request: WireRequest, weight = 0, timeoutMs = this.#limits.timeoutMs): Promise<WireReply> {
    if (this.#gone) return Promise.reject(this.#gone);
    if (
      this.#waiting.length - this.#answered >= this.#limits.maxWaiting ||
      this.#chars + weight > this.#limits.maxWaitingChars
    )
      return Promise.reject(new StoreBusyError());
    // Waking the thread costs more than the message, so requests of one turn of the event loop are sent together. After
    // EAGER requests they are sent early, so that the thread does not wait for the end of a long turn.
    const waiting = this.#outbox.push(request);
    if (waiting === 1) setImmediate(() => this.#send());
    else if (waiting >= EAGER) this.#send();
    return this.#enqueue(weight, timeoutMs);
  }

  /** Lets the thread finish its requests within the time limit of a request, then ends it. */
  async close(): Promise<void> {
    if (this.#gone) return;
    const exited = new Promise<void>(resolve => this.#worker.once("exit", () => resolve()));
    try {
      await this.request({ kind: "close" });
      await exited;
    } catch {
      await this.#worker.terminate();
    }
    this.#fail("the store is closed");
  }

  #enqueue(weight: number, timeoutMs: number): Promise<WireReply> {
    this.#chars += weight;
    const deadline = performance.now() + timeoutMs;
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject, weight, deadline, settled: false }));
  }

  #send(): void {
    const requests = this.#outbox;
    this.#outbox = [];
    if (requests.length > 0 && !this.#gone) this.#worker.postMessage(requests);
  }

  #answer(reply: WireReply): void {
    const waiting = this.#waiting[this.#answered++];
    if (this.#answered > 1000 && this.#answered * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#answered);
      this.#answered = 0;
    }
    if (!waiting) return;
    this.#chars -= waiting.weight;
    waiting.settled = true;
    waiting.resolve(reply);
  }

  #expire(now: number): void {
    for (let place = this.#answered; place < this.#waiting.length; place++) {
      const waiting = this.#waiting[place] as Waiting;
      if (waiting.deadline > now) continue;
      if (!waiting.settled) waiting.reject(new StoreTimeoutError());
      waiting.settled = true;
    }
  }

  #fail(message: string): void {
    if (this.#gone) return;
    this.#gone = new StoreUnavailableError(message);
    clearInterval(this.#watch);
    for (const waiting of this.#waiting.slice(this.#answered)) if (!waiting.settled) waiting.reject(this.#gone);
    this.#waiting = [];
    this.#answered = 0;
  }
}
