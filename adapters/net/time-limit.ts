import { OutboundError } from "./outbound-error.ts";

/** The limit of a whole call: its time, and the caller's own signal. */
export interface TimeLimit {
  signal: AbortSignal;
  /** Settles as the promise does, or rejects with the limit's error as soon as the limit is reached. */
  race<T>(promise: Promise<T>): Promise<T>;
  /** Ends the call with this error, as if the limit was reached. */
  give(error: OutboundError): void;
  /** Must be called when the call is over. */
  end(): void;
}

export function startTimeLimit(timeoutMs: number, outer: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  const { signal } = controller;
  const aborted = () => controller.abort(new OutboundError("outbound_aborted", "The call was cancelled"));
  const timer = setTimeout(
    () => controller.abort(new OutboundError("outbound_timeout", `The call took longer than ${timeoutMs} ms`)),
    Math.min(timeoutMs, 2 ** 31 - 1),
  ).unref();
  if (outer?.aborted) aborted();
  else outer?.addEventListener("abort", aborted, { once: true });
  return {
    signal,
    race<T>(promise: Promise<T>) {
      return new Promise<T>((resolve, reject) => {
        const stop = () => reject(signal.reason as OutboundError);
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop, { once: true });
        promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
      });
    },
    give: error => controller.abort(error),
    end() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", aborted);
    },
  };
}
