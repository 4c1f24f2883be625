import { flushCompileCache } from "node:module";
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { Lookups } from "./lookups.ts";
import type { SearchReply, SearchRequest, SearchCall, ThreadSettings } from "./protocol.ts";
import { Searcher } from "./searcher.ts";

// The only thread of this process that searches the embedded index.
const BUSY_TIMEOUT_MS = 5000;
/**
 * Exact comparisons read the same pages again and again. SQLite's default of 2 MiB holds the vectors of only 250 texts.
 */
const PAGES_KIB = 32 * 1024;

const port = parentPort as MessagePort;
const { file, cacheBytes } = workerData as ThreadSettings;
const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
database.exec(`PRAGMA cache_size = -${PAGES_KIB}`);
const lookups = new Lookups(database);
const searcher = new Searcher(database, lookups, cacheBytes);

function answer({ to, asks }: SearchCall): unknown {
  switch (to) {
    case "search":
      return searcher.search(asks);
    case "embedders":
      return lookups.embedders(asks.kind);
    case "unembedded":
      return lookups.unembedded(asks.kind, asks.limit);
    case "entries":
      return lookups.entries(asks.kind, asks.after, asks.limit);
    case "held":
      return lookups.held(asks.wanted);
    case "leftovers":
      return lookups.leftovers();
    case "ping":
      return lookups.ping();
    case "close":
      return null;
  }
}

port.on("message", (asked: SearchRequest) => {
  if (Date.now() > asked.deadline) return;
  let answered: SearchReply;
  try {
    // With a transaction, everything that a question reads is one state of the file.
    database.exec("BEGIN");
    answered = { n: asked.n, answer: answer(asked) };
  } catch (error) {
    answered = { n: asked.n, failure: error instanceof Error ? error.message : String(error) };
  }
  if (database.isTransaction) database.exec("ROLLBACK");
  port.postMessage(answered);
  if (asked.to !== "close") return;
  database.close();
  port.close();
});

// Each thread has its own cache of compiled code, and Node does not write it when the process is killed.
flushCompileCache();
