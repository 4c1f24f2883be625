import type { Context, Middleware } from "moleculer";

/** A call that was given less may have come late to a node that is only busy. */
const LEAST_MS = 5_000;

type Next = (ctx: Context) => Promise<unknown>;

/** Time limits that say nothing of the node. */
const hurried = new WeakSet<object>();

/**
 * Whether a node had time to answer, and did not: what the circuit breaker counts. It turns to another node then. Errors that
 * a node answers would be another one's too.
 */
export const hangs = (error: unknown): boolean =>
  (error as { type?: unknown } | null)?.type === "REQUEST_TIMEOUT" && !hurried.has(error as object);

const noted = (next: Next) =>
  function noteHurry(ctx: Context) {
    return next(ctx).catch((error: unknown) => {
      const { timeout } = ctx.options;
      if (typeof error === "object" && error !== null && timeout && timeout < LEAST_MS) hurried.add(error);
      throw error;
    });
  };

/** Tells `hangs` which calls were given too little time. It stands between the time limit and the circuit breaker. */
export const hungCalls: Middleware = { name: "hung-calls", localAction: noted, remoteAction: noted };
