import { flushCompileCache } from "node:module";
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { isBusy, openWritable } from "./connection.ts";
import type { CheckpointStatus, ThreadSettings } from "./protocol.ts";

// Moves the write-ahead log into the database file, in parallel to the writer and without blocking it.
const EVERY_MS = 250;
/** 16 MiB of pages. A log of this length does not restart by itself while writes continue. */
const LONG_LOG_PAGES = 4096;

const port = parentPort as MessagePort;
const database = openWritable(workerData as ThreadSettings);
const checkpoint = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");

let failing = false;
function post(news: CheckpointStatus): void {
  port.postMessage(news);
}

const timer = setInterval(() => {
  try {
    const { log } = checkpoint.get() as { log: number };
    if (failing) post({ kind: "well" });
    failing = false;
    // The writer checkpoints the small rest between two transactions. The next transaction then restarts the log.
    if (log > LONG_LOG_PAGES) post({ kind: "long" });
  } catch (error) {
    if (isBusy(error)) return;
    // The thread continues, because a full disk may get space again. Until then the log keeps the data.
    if (!failing) post({ kind: "failing", message: error instanceof Error ? error.message : String(error) });
    failing = true;
  }
}, EVERY_MS);

port.once("message", () => {
  clearInterval(timer);
  database.close();
  port.close();
});

// Each thread has its own cache of compiled code, and Node does not write it when the process is killed.
flushCompileCache();
