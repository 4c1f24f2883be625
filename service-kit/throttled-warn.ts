import type { ServiceBroker } from "moleculer";

const EVERY_MS = 10_000;

export type Warn = (message: string, error: unknown) => void;

/** Logs each message at most once in ten seconds, because an unavailable store fails four times a second. */
export function throttledWarn(logger: ServiceBroker["logger"]): Warn {
  const last = new Map<string, number>();
  return (message, error) => {
    const now = performance.now();
    if (now - (last.get(message) ?? -Infinity) < EVERY_MS) return;
    last.set(message, now);
    logger.warn(message, error);
  };
}
