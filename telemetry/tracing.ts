import type { Attributes } from "@opentelemetry/api";
import { currentScope, within } from "./scope.ts";
import type { SpanKind, Tracing, TracingSettings, Underway } from "./tracing-port.ts";

let current: Tracing | undefined;

export const tracing = (): Tracing | undefined => current;

/** Records traces from now on. What that takes is loaded here: it costs memory, and most have no collector. */
export async function startTracing(settings: TracingSettings): Promise<void> {
  const { openTelemetry } = await import("./open-telemetry.ts");
  current = openTelemetry(settings);
}

export async function stopTracing(): Promise<void> {
  const stopping = current;
  current = undefined;
  await stopping?.stop();
}

/** The `traceparent` of what is under way here, to be kept with what goes on later or elsewhere. */
export function traceparentHere(): string | undefined {
  const trace = current && currentScope()?.trace;
  return trace && current?.write(trace);
}

/** A code or the status of an answer: workflows name codes of their own, out of whatever they have at hand. */
const CODE = /^(?:[A-Za-z]\w{0,63}|[45]\d\d)$/;

/** Ends a span; `fault` is a code and never a text, which could tell what is nobody's business. */
export function endSpan({ span }: Underway, fault?: string): void {
  if (fault !== undefined) span.setAttribute("error.type", CODE.test(fault) ? fault : "other").setStatus({ code: 2 });
  span.end();
}

/**
 * Does something within a span below what is under way here; nothing but `act` where no traces are recorded. `faultOf` names
 * the code of what it threw.
 */
export async function spanned<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  act: (underway: Underway | undefined) => Promise<T>,
  faultOf: (error: unknown) => string,
): Promise<T> {
  if (!current) return act(undefined);
  const scope = currentScope();
  const underway = current.begin(name, kind, attributes, scope?.trace);
  try {
    const result = await within({ ...scope, trace: underway.trace }, () => act(underway));
    endSpan(underway);
    return result;
  } catch (error) {
    endSpan(underway, faultOf(error));
    throw error;
  }
}
