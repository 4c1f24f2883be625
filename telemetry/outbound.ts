import type { Attributes } from "@opentelemetry/api";
import { gauge, histogram } from "./instruments.ts";
import { inSpan, tracing } from "./tracing.ts";
import type { OpenSpan } from "./tracing-port.ts";

const durations = histogram("weft_outbound_duration_seconds");
const active = gauge("weft_outbound_active");

/** What a call can use to trace and report itself. */
export interface OutboundCall {
  /** The call's position in its trace (W3C Trace Context). Undefined if no traces are recorded. */
  traceparent: string | undefined;
  /** Reports the status of the answer. */
  answered(status: number): void;
}

interface Outbound {
  kind: "guarded" | "model";
  method: string;
  url: string;
  /** The code of an error, from a closed set. */
  faultOf: (error: unknown) => string;
}

/** Only the host of an address goes into a trace, because paths and queries may contain private data. */
function attributesOf({ method, url }: Outbound): Attributes {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  return {
    "http.request.method": method,
    "server.address": target?.hostname,
    "server.port": Number(target?.port) || undefined,
  };
}

/** Makes a call to an external server, with measurements and its own span. */
export function outbound<T>(about: Outbound, act: (call: OutboundCall) => Promise<T>): Promise<T> {
  const { kind, method, faultOf } = about;
  const began = performance.now();
  const running = active(kind);
  running.add();
  const ended = (result: string) => {
    running.add(-1);
    durations(kind, result).observe((performance.now() - began) / 1_000);
  };
  let status = 0;
  const call = (underway: OpenSpan | undefined) =>
    act({
      traceparent: underway && tracing()?.write(underway.trace),
      answered(given) {
        status = given;
        underway?.span.setAttribute("http.response.status_code", given);
      },
    });
  const done = tracing() ? inSpan(method, "client", attributesOf(about), call, faultOf) : call(undefined);
  return done.then(
    result => {
      ended(`${Math.floor(status / 100)}xx`);
      return result;
    },
    (error: unknown) => {
      ended(faultOf(error));
      throw error;
    },
  );
}
