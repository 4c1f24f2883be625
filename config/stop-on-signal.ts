import type { ServiceBroker } from "moleculer";

/** Below the ten seconds after which container runtimes kill. */
const STOP_LIMIT_MS = 8_000;

/**
 * Ends the process with exit code 0 on SIGTERM and SIGINT, once the broker has stopped; with 1 when that fails or takes too long.
 * A signal that comes twice, as npm's after a terminal's, stops once.
 */
export function stopOnSignal(broker: ServiceBroker): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => {
      broker.logger.fatal(`Not stopped within ${STOP_LIMIT_MS} ms.`);
      process.exit(1);
    }, STOP_LIMIT_MS).unref();
    broker.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        broker.logger.fatal("Not stopped cleanly.", error);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
