import type { Attributes } from "@opentelemetry/api";
import { gauge, histogram } from "./instruments.ts";
import { spanned, tracing } from "./tracing.ts";
import type { Underway } from "./tracing-port.ts";

const durations = histogram("weft_outbound_duration_seconds");
const active = gauge("weft_outbound_active");

/** What a call is told about itself. */
export interface OutboundCall {
  /** Says where this is in its trace (W3C Trace Context); undefined where no traces are recorded. */
  traceparent: string | undefined;
  /** What it was answered. */
  answered(status: number): void;
}

interface Outbound {
  kind: "guarded" | "model";
  method: string;
  url: string;
  /** Its code, out of a closed set. */
  faultOf: (error: unknown) => string;
}

/** Of the address nothing goes into a trace but the host: paths and queries carry what is nobody's business. */
function attributesOf({ method, url }: Outbound): Attributes {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  return {
    "http.request.method": method,
    "server.address": target?.hostname,
    "server.port": Number(target?.port) || undefined,
  };
}

/** Makes a call to a server outside, measured and in a span of its own. */
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
  const call = (underway: Underway | undefined) =>
    act({
      traceparent: underway && tracing()?.write(underway.trace),
      answered(given) {
        status = given;
        underway?.span.setAttribute("http.response.status_code", given);
      },
    });
  const done = tracing() ? spanned(method, "client", attributesOf(about), call, faultOf) : call(undefined);
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
