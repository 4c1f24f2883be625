import type { ServiceBroker } from "moleculer";
import { counter, gauge, histogram } from "../../../telemetry/instruments.ts";
import { type Scope, withScope } from "../../../telemetry/scope.ts";
import { endSpan, tracing } from "../../../telemetry/tracing.ts";
import type { OpenSpan } from "../../../telemetry/tracing-port.ts";
import type { Exchange } from "./exchange.ts";

const requests = counter("weft_http_requests_total");
const durations = histogram("weft_http_request_duration_seconds");
const active = gauge("weft_http_requests_active")();

/** The status that nginx logs for a client that disconnected before its response. */
const CLIENT_GONE = 499;
/** Clients may send any method. Metrics distinguish only these. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Measures and traces requests, and logs one line for each if that is configured. */
export class RequestObserver {
  readonly #logger: ServiceBroker["logger"];
  readonly #logs: boolean;

  constructor(logger: ServiceBroker["logger"], logs: boolean) {
    this.#logger = logger;
    this.#logs = logs;
  }

  /** Runs `act` within the trace of the request. `act` responds to the request and never rejects. */
  async observe(x: Exchange, act: () => Promise<void>): Promise<void> {
    const scope: Scope = { requestId: x.requestId };
    const underway = begin(x, scope);
    const began = performance.now();
    active.add();
    await withScope(scope, act);
    active.add(-1);
    const { method = "", route } = this.#name(x);
    const status = x.res.headersSent ? x.res.statusCode : CLIENT_GONE;
    const ms = performance.now() - began;
    requests(method, route, String(status)).add();
    if (!x.streamed) durations(method, route).observe(ms / 1_000);
    if (underway) end(underway, `${method} ${route}`, route, status);
    if (!this.#logs) return;
    const durationMs = Math.round(ms * 10) / 10;
    withScope(scope, () => this.#logger.info("Request answered", { method, route, status, durationMs }));
  }

  #name({ req: { method = "" }, route }: Exchange) {
    return { method: METHODS.has(method) ? method : "other", route };
  }
}

/** Continues the caller's trace by W3C Trace Context. The sampler decides whether it is recorded. */
function begin({ req, requestId, shownPath }: Exchange, scope: Scope): OpenSpan | undefined {
  const traces = tracing();
  if (!traces) return undefined;
  const attributes = { "http.request.method": req.method, "url.path": shownPath, "weft.request.id": requestId };
  const underway = traces.begin("HTTP", "server", attributes, traces.read(req.headers.traceparent));
  scope.trace = underway.trace;
  return underway;
}

function end(underway: OpenSpan, name: string, route: string, status: number): void {
  underway.span.updateName(name).setAttributes({ "http.route": route, "http.response.status_code": status });
  endSpan(underway, status >= 500 ? String(status) : undefined);
}
