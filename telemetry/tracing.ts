import type { Attributes } from "@opentelemetry/api";
import { currentScope, withScope } from "./scope.ts";
import type { OpenSpan, SpanKind, Tracing, TracingSettings } from "./tracing-port.ts";

let current: Tracing | undefined;

export const tracing = (): Tracing | undefined => current;

/**
 * Starts to record traces. The library is loaded here because it takes memory, and most installations have no
 * collector.
 */
export async function startTracing(settings: TracingSettings): Promise<void> {
  const { openTelemetry } = await import("./open-telemetry.ts");
  current = openTelemetry(settings);
}

export async function stopTracing(): Promise<void> {
  const stopping = current;
  current = undefined;
  await stopping?.stop();
}

/** The current `traceparent`. It is stored with work that continues later or elsewhere. */
export function currentTraceparent(): string | undefined {
  const trace = current && currentScope()?.trace;
  return trace && current?.write(trace);
}

/** A code, or the status of an answer. Workflows choose their own codes, which may be any text. */
const CODE = /^(?:[A-Za-z]\w{0,63}|[45]\d\d)$/;

/** Ends a span. `fault` is a code and never a text, because a text could contain private data. */
export function endSpan({ span }: OpenSpan, fault?: string): void {
  if (fault !== undefined) span.setAttribute("error.type", CODE.test(fault) ? fault : "other").setStatus({ code: 2 });
  span.end();
}

/**
 * Runs `act` in a span below the current one. If no traces are recorded, it only runs `act`. `faultOf` returns the code
 * of an error.
 */
export async function inSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  act: (underway: OpenSpan | undefined) => Promise<T>,
  faultOf: (error: unknown) => string,
): Promise<T> {
  if (!current) return act(undefined);
  const scope = currentScope();
  const underway = current.begin(name, kind, attributes, scope?.trace);
  try {
    const result = await withScope({ ...scope, trace: underway.trace }, () => act(underway));
    endSpan(underway);
    return result;
  } catch (error) {
    endSpan(underway, faultOf(error));
    throw error;
  }
}
