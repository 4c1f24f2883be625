import type { Middleware, ServiceBroker } from "moleculer";
import { startTracing, stopTracing } from "./tracing.ts";

interface Settings {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_HEADERS: readonly string[];
  OTEL_SERVICE_NAME: string;
  OTEL_TRACES_SAMPLER: string;
  OTEL_TRACES_SAMPLER_ARG: number;
}

/** `name=value`, percent-encoded where necessary, in the form of OpenTelemetry. */
function headerOf(pair: string): [string, string] {
  const at = pair.indexOf("=");
  const value = pair.slice(at + 1).trim();
  try {
    return [pair.slice(0, at), decodeURIComponent(value)];
  } catch {
    return [pair.slice(0, at), value];
  }
}

/** Records traces from before the first service starts until the last one has stopped, if a collector is configured. */
export function traces(settings: Settings, nodeId: string, version: string): Middleware {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings;
  return {
    name: "traces",
    async starting(broker: ServiceBroker) {
      if (endpoint === undefined) return;
      await startTracing({
        endpoint,
        headers: Object.fromEntries(settings.OTEL_EXPORTER_OTLP_HEADERS.map(headerOf)),
        serviceName: settings.OTEL_SERVICE_NAME,
        nodeId,
        version,
        sampler: settings.OTEL_TRACES_SAMPLER,
        ratio: settings.OTEL_TRACES_SAMPLER_ARG,
        warn: (message, error) => broker.logger.warn(message, error),
      });
    },
    async stopped() {
      if (endpoint !== undefined) await stopTracing();
    },
  };
}
