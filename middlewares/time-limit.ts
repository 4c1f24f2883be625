import moleculer, { type ActionSchema, type Context, type Middleware, type ServiceBroker } from "moleculer";

type Next = (ctx: Context) => Promise<unknown>;
/** `timeout` is the usual limit of the action, in ms. */
type Limited = ActionSchema & { timeout?: number };

/**
 * Longer limits are rounded up to a multiple of this time. A nested call has the rest of its caller's limit, and a
 * timer with a length of its own costs far more than one of many with the same length.
 */
const ROUND_MS = 250;
const EXACT_MS = 5_000;

const timerMs = (ms: number): number => (ms < EXACT_MS ? ms : Math.ceil(ms / ROUND_MS) * ROUND_MS);

function limited(broker: ServiceBroker, next: Next, { name = "", timeout: usual }: Limited): Next {
  return function timeLimited(ctx) {
    const { options } = ctx;
    const ms = (options.timeout ??= usual ?? broker.options.requestTimeout ?? 0);
    if (ms <= 0) return next(ctx);
    // Nested calls get the rest of this call's limit.
    ctx.startHrTime ??= process.hrtime();
    const work = next(ctx);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const { requestID, nodeID } = ctx;
        broker.logger.warn(`Request '${name}' is timed out.`, { requestID, nodeID, timeout: ms });
        reject(new moleculer.Errors.RequestTimeoutError({ action: name, nodeID: nodeID ?? broker.nodeID }));
      }, timerMs(ms));
      work.then(
        result => {
          clearTimeout(timer);
          resolve(result);
        },
        (error: unknown) => {
          clearTimeout(timer);
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the error of the call itself
          reject(error);
        },
      );
    });
  };
}

/**
 * Limits the time of calls, as Moleculer's `Timeout` does. That one needs five promises per call, and a separate list
 * of timers for nearly every call.
 */
export const timeLimit: Middleware = {
  name: "time-limit",
  localAction(this: ServiceBroker, next: Next, action: ActionSchema) {
    return limited(this, next, action);
  },
  remoteAction(this: ServiceBroker, next: Next, action: ActionSchema) {
    return limited(this, next, action);
  },
};
