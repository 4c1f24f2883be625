import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { isBusy, openWritable } from "./connection.ts";
import type { CheckpointNews, ThreadSettings } from "./protocol.ts";

// Moves what is in the write-ahead log into the database file, beside the writer and without holding it up.
const EVERY_MS = 250;
/** 16 MiB of pages. A log that long does not start anew by itself while writes go on. */
const LONG_LOG_PAGES = 4096;

const port = parentPort as MessagePort;
const database = openWritable(workerData as ThreadSettings);
const checkpoint = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");

let failing = false;
function tell(news: CheckpointNews): void {
  port.postMessage(news);
}

const timer = setInterval(() => {
  try {
    const { log } = checkpoint.get() as { log: number };
    if (failing) tell({ kind: "well" });
    failing = false;
    // The writer does the little that is left between two transactions: then the next one starts the log from its beginning.
    if (log > LONG_LOG_PAGES) tell({ kind: "long" });
  } catch (error) {
    if (isBusy(error)) return;
    // A full disk has room again some time: the thread goes on, and the log keeps what is not in the database file yet.
    if (!failing) tell({ kind: "failing", message: error instanceof Error ? error.message : String(error) });
    failing = true;
  }
}, EVERY_MS);

port.once("message", () => {
  clearInterval(timer);
  database.close();
  port.close();
});
