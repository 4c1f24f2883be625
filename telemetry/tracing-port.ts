import type { Attributes, Context, Span } from "@opentelemetry/api";

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
