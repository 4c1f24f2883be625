import type { ServiceBroker } from "moleculer";

/** The experimental features in use are stable for this service. The start command hides these warnings too. */
const LEFT_OUT = "ExperimentalWarning";

/**
 * Logs what Node would otherwise write as plain text, which log readers miss: its warnings and uncaught errors. An
 * uncaught error still ends the process with code 1.
 */
export function logFaults(logger: ServiceBroker["logger"]): void {
  process.removeAllListeners("warning");
  process.on("warning", warning => {
    if (warning.name !== LEFT_OUT) logger.warn("Node.js has emitted a warning.", warning);
  });
  process.on("uncaughtException", (error, origin) => {
    logger.fatal(`The process ends: ${origin}.`, error);
    process.exit(1);
  });
}
