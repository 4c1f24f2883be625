import type { ServiceBroker } from "moleculer";

/** Of code that is stable for us; the start leaves them out as well. */
const LEFT_OUT = "ExperimentalWarning";

/**
 * Has the log tell what Node itself would write as text, where nobody who reads logs finds it: its warnings, and what nobody
 * has caught. That ends the process with 1, as it does without this.
 */
export function logFaults(logger: ServiceBroker["logger"]): void {
  process.removeAllListeners("warning");
  process.on("warning", warning => {
    if (warning.name !== LEFT_OUT) logger.warn("Node warns.", warning);
  });
  process.on("uncaughtException", (error, origin) => {
    logger.fatal(`The process ends: ${origin}.`, error);
    process.exit(1);
  });
}
