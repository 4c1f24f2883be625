import type { ReadableSpan, SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";
import { counter } from "./instruments.ts";

/** Spans that wait; more are dropped, since nobody waits for a collector. */
const MAX_WAITING = 4_096;
const BATCH = 512;
const EVERY_MS = 1_000;
/** How long a stop goes on sending. */
const STOP_MS = 1_000;

const spans = counter("weft_spans_total");

/** Sends finished spans in batches, one at a time. The tracer's own queue does not tell what it drops. */
export class SpanQueue implements SpanProcessor {
  readonly #exporter: SpanExporter;
  readonly #warn: (message: string, error?: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #waiting: ReadableSpan[] = [];
  #sending: Promise<void> | undefined;
  #isFailing = false;

  constructor(exporter: SpanExporter, warn: (message: string, error?: unknown) => void) {
    this.#exporter = exporter;
    this.#warn = warn;
    this.#timer = setInterval(() => this.#send(), EVERY_MS).unref();
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    // 1: the sampler has taken it.
    if ((span.spanContext().traceFlags & 1) === 0) return;
    if (this.#waiting.length >= MAX_WAITING) return spans("dropped").add();
    this.#waiting.push(span);
    if (this.#waiting.length >= BATCH) this.#send();
  }

  #send(): void {
    if (this.#waiting.length === 0) return;
    this.#sending ??= this.#export(this.#waiting.splice(0, BATCH)).finally(() => {
      this.#sending = undefined;
      if (this.#waiting.length >= BATCH) this.#send();
    });
  }

  #export(batch: ReadableSpan[]): Promise<void> {
    return new Promise(resolve => {
      this.#exporter.export(batch, ({ code, error }) => {
        // Anything but its 0 is a failure.
        const failed = Number(code) !== 0;
        spans(failed ? "failed" : "sent").add(batch.length);
        if (failed && !this.#isFailing) {
          this.#warn("Traces do not reach the collector; they are dropped until they do.", error);
        }
        this.#isFailing = failed;
        resolve();
      });
    });
  }

  async forceFlush(): Promise<void> {
    while (this.#waiting.length > 0 || this.#sending) {
      this.#send();
      await this.#sending;
      // A collector that is away would be asked for each batch again.
      if (this.#isFailing) return;
    }
  }

  async shutdown(): Promise<void> {
    clearInterval(this.#timer);
    let limit: NodeJS.Timeout | undefined;
    const late = new Promise<void>(resolve => (limit = setTimeout(resolve, STOP_MS)));
    await Promise.race([this.forceFlush(), late]);
    clearTimeout(limit);
    spans("dropped").add(this.#waiting.splice(0).length);
    // It would wait for what it still tries to send.
    void this.#exporter.shutdown().catch(() => undefined);
  }
}
