import type { Attributes, Context, Span } from "@opentelemetry/api";
import { currentScope, within } from "./scope.ts";

/** A place in a trace: whatever is begun below it belongs to it. */
export type Trace = Context;
export type SpanKind = "internal" | "server" | "client";

export interface Underway {
  span: Span;
  trace: Trace;
}

/** How spans are made. There is one where traces are recorded, and none at all elsewhere. */
export interface Tracing {
  /** Begins a span below `parent`; a trace of its own where there is none. */
  begin(name: string, kind: SpanKind, attributes: Attributes, parent: Trace | undefined): Underway;
  /** The place that a W3C `traceparent` names; undefined where it is none. */
  read(traceparent: unknown): Trace | undefined;
  /** The `traceparent` of a place. */
  write(trace: Trace): string | undefined;
  /** The 32 hexadecimal digits by which its trace is found. */
  idOf(trace: Trace): string | undefined;
  /** Sends what is finished, for a second at most. */
  stop(): Promise<void>;
}

export interface TracingSettings {
  /** Of a collector: traces go to `<endpoint>/v1/traces`. */
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  nodeId: string;
  version: string;
  /** As OpenTelemetry names them: `always_on`, `parentbased_traceidratio` … */
  sampler: string;
  /** Of traces that samplers named after it record: 0 to 1. */
  ratio: number;
  warn: (message: string, error?: unknown) => void;
}

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
