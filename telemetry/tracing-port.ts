import type { Attributes, Context, Span } from "@opentelemetry/api";

/** A position in a trace. Spans below it belong to the same trace. */
export type Trace = Context;
export type SpanKind = "internal" | "server" | "client";

export interface OpenSpan {
  span: Span;
  trace: Trace;
}

/** The interface for creating spans. It exists only if traces are recorded. */
export interface Tracing {
  /** Begins a span below `parent`, or a new trace without a parent. */
  begin(name: string, kind: SpanKind, attributes: Attributes, parent: Trace | undefined): OpenSpan;
  /** The position that a W3C `traceparent` names. Undefined if it is invalid. */
  read(traceparent: unknown): Trace | undefined;
  /** The `traceparent` of a position. */
  write(trace: Trace): string | undefined;
  /** The 32 hexadecimal digits of its trace id. */
  idOf(trace: Trace): string | undefined;
  /** Sends the finished spans, within a second. */
  stop(): Promise<void>;
}

export interface TracingSettings {
  /** The address of a collector. Traces go to `<endpoint>/v1/traces`. */
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  nodeId: string;
  version: string;
  /** A name of OpenTelemetry: `always_on`, `parentbased_traceidratio` … */
  sampler: string;
  /** The share of traces that ratio samplers record: 0 to 1. */
  ratio: number;
  warn: (message: string, error?: unknown) => void;
}
