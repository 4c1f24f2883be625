import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { isBusy, openWritable } from "./connection.ts";
import type { ThreadSettings } from "./protocol.ts";

// Moves what is in the write-ahead log into the database file, beside the writer and without holding it up.
const EVERY_MS = 250;
/** 16 MiB of pages. A log that long does not start anew by itself while writes go on. */
const LONG_LOG_PAGES = 4096;

const port = parentPort as MessagePort;
const database = openWritable(workerData as ThreadSettings);
const checkpoint = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");

const timer = setInterval(() => {
  try {
    const { log } = checkpoint.get() as { log: number };
    // The writer does the little that is left between two transactions: then the next one starts the log from its beginning.
    if (log > LONG_LOG_PAGES) port.postMessage("long");
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}, EVERY_MS);

port.once("message", () => {
  clearInterval(timer);
  database.close();
  port.close();
});
