import { isSpanContextValid, ROOT_CONTEXT, trace as api } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { SpanQueue } from "./span-queue.ts";
import type { Trace, Tracing, TracingSettings } from "./tracing-port.ts";

/** The limit for sending one batch. The next batch waits in a bounded queue. */
const SEND_MS = 5_000;
/** OpenTelemetry's numbers. */
const KINDS = { internal: 0, server: 1, client: 2 } as const;
/** W3C Trace Context, level 2: later versions may append fields, and 00 has none. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:(?<!^00.*)-.*)?$/;

function samplerOf(name: string, ratio: number): Sampler {
  const plain = name.replace("parentbased_", "");
  const root =
    plain === "always_on"
      ? new AlwaysOnSampler()
      : plain === "always_off"
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio);
  return plain === name ? root : new ParentBasedSampler({ root });
}

/** Records traces with OpenTelemetry, sent by OTLP over HTTP as JSON. */
export function openTelemetry(settings: TracingSettings): Tracing {
  const { endpoint, headers, serviceName, nodeId, version, sampler, ratio, warn } = settings;
  const url = `${endpoint.replace(/\/+$/, "")}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: SEND_MS, concurrencyLimit: 1 });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": serviceName,
      "service.version": version,
      "service.instance.id": nodeId,
    }),
    sampler: samplerOf(sampler, ratio),
    spanLimits: { attributeValueLengthLimit: 500, attributeCountLimit: 32 },
    spanProcessors: [new SpanQueue(exporter, warn)],
  });
  const tracer = provider.getTracer("weft", version);
  const contextOf = (trace: Trace) => api.getSpanContext(trace);
  return {
    begin(name, kind, attributes, parent = ROOT_CONTEXT) {
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent);
      return { span, trace: api.setSpan(ROOT_CONTEXT, span) };
    },
    read(traceparent) {
      const [, traceId = "", spanId = "", flags = "00"] =
        (typeof traceparent === "string" && TRACEPARENT.exec(traceparent)) || [];
      const context = { traceId, spanId, traceFlags: parseInt(flags, 16) & 1, isRemote: true };
      return isSpanContextValid(context) ? api.setSpanContext(ROOT_CONTEXT, context) : undefined;
    },
    write(trace) {
      const context = contextOf(trace);
      return context && `00-${context.traceId}-${context.spanId}-0${context.traceFlags & 1}`;
    },
    idOf: trace => contextOf(trace)?.traceId,
    stop: () => provider.shutdown(),
  };
}
