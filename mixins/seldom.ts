import type { ServiceBroker } from "moleculer";

const EVERY_MS = 10_000;

export type Warn = (message: string, error: unknown) => void;

/** Warns of what goes wrong again and again (a store that is away, asked four times a second) every ten seconds only. */
export function seldom(logger: ServiceBroker["logger"]): Warn {
  const last = new Map<string, number>();
  return (message, error) => {
    const now = performance.now();
    if (now - (last.get(message) ?? -Infinity) < EVERY_MS) return;
    last.set(message, now);
    logger.warn(message, error);
  };
}
