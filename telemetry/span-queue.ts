import type { ReadableSpan, SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";
import { counter } from "./instruments.ts";

/** Maximum number of waiting spans. Further spans are dropped, because the service does not wait for a collector. */
const MAX_WAITING = 4_096;
const BATCH = 512;
const EVERY_MS = 1_000;
/** How long a stopping process continues to send, in ms. */
const STOP_MS = 1_000;

const spans = counter("weft_spans_total");

/** Sends finished spans in batches, one at a time. The tracer's own queue does not report dropped spans. */
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
    // Flag 1: the sampler has selected the span.
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
        // 0 is OpenTelemetry's code for success.
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
      // Stops here, because it would try an unavailable collector again for each batch.
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
    // Not awaited, because it would wait for batches that it still tries to send.
    void this.#exporter.shutdown().catch(() => undefined);
  }
}
