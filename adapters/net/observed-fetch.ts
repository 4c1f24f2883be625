import { outbound, type OutboundCall } from "../../telemetry/outbound.ts";
import { OutboundError } from "./outbound-error.ts";
import type { GuardedFetch, OutboundRequest } from "./port.ts";

const faultOf = (error: unknown): string => (error instanceof OutboundError ? error.code : "unknown");

/**
 * Passes the trace on to the called server. Trace ids are random and reveal nothing. Other trace data (`tracestate`,
 * baggage) is not sent. The caller's own `traceparent` has priority. A redirect to another origin drops the header like
 * everything that could be a credential.
 */
function traced<R extends OutboundRequest>(request: R, { traceparent }: OutboundCall): R {
  if (traceparent === undefined) return request;
  const isGiven = Object.keys(request.headers ?? {}).some(name => name.toLowerCase() === "traceparent");
  return isGiven ? request : { ...request, headers: { ...request.headers, traceparent } };
}

/**
 * The same calls, measured, and traced if traces are recorded. For a stream, the measurement ends when its body begins.
 */
export function observedFetch(guarded: GuardedFetch): GuardedFetch {
  const observed =
    <R extends OutboundRequest, T extends { status: number }>(act: (request: R) => Promise<T>) =>
    (request: R): Promise<T> => {
      const { url, method = "GET" } = request;
      return outbound({ kind: "guarded", method: method.toUpperCase(), url, faultOf }, async call => {
        const answer = await act(traced(request, call));
        call.answered(answer.status);
        return answer;
      });
    };
  return {
    fetch: observed(request => guarded.fetch(request)),
    stream: observed(request => guarded.stream(request)),
    close: () => guarded.close(),
  };
}
