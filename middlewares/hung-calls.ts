import type { Context, Middleware } from "moleculer";

/** With a shorter time limit, a call may fail on a node that is merely busy. */
const LEAST_MS = 5_000;

type Next = (ctx: Context) => Promise<unknown>;

/** Time-outs of calls with a short limit. They say nothing about the node. */
const shortCalls = new WeakSet<object>();

/**
 * Whether a node had enough time to answer but did not. The circuit breaker counts these errors, and then uses another
 * node. An error in an answer would be the same on another node.
 */
export const isHungCall = (error: unknown): boolean =>
  (error as { type?: unknown } | null)?.type === "REQUEST_TIMEOUT" && !shortCalls.has(error as object);

const markShortCalls = (next: Next) =>
  function marked(ctx: Context) {
    return next(ctx).catch((error: unknown) => {
      const { timeout } = ctx.options;
      if (typeof error === "object" && error !== null && timeout && timeout < LEAST_MS) shortCalls.add(error);
      throw error;
    });
  };

/** Marks time-outs with too short a limit for `isHungCall`. It runs between the time limit and the circuit breaker. */
export const hungCalls: Middleware = { name: "hung-calls", localAction: markShortCalls, remoteAction: markShortCalls };
