import { flushCompileCache } from "node:module";
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from "node:worker_threads";
import { openWritable, transact } from "./connection.ts";
import { OtherTablesError } from "./make-table.ts";
import { OwnTables } from "./own-tables.ts";
import { unpacked } from "./packed-writes.ts";
import { Presence } from "./presence.ts";
import type { PackedWrite, WriterSettings, WireReply, WireRequest } from "./protocol.ts";
import { Statements } from "./statements.ts";
import { writeBatch, type Writing } from "./write-batch.ts";

// The only thread of this process that writes, so event loops never wait for the disk.
const MAX_BATCH = 2000;

const port = parentPort as MessagePort;
const settings = workerData as WriterSettings;
const database = openWritable(settings);
const presence = new Presence(database, settings.self, settings.deadAfterMs);
const tables = new OwnTables(database);
const writing: Writing = { database, statements: new Statements(database), keys: tables.keys };

function begin(): void {
  presence.begin();
  tables.check();
}

const PROOF_BYTES = 65_536;
const PROOF = `CREATE TABLE IF NOT EXISTS "weft:proof" (n INTEGER PRIMARY KEY, bytes BLOB);
REPLACE INTO "weft:proof" VALUES (1, zeroblob(${PROOF_BYTES}))`;

/** An empty transaction succeeds even on a full disk, so this one writes: one page or, with `large`, many pages. */
function proveWrites(large: boolean): void {
  try {
    begin();
    presence.touch();
    if (large) database.exec(PROOF);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Puts every request that arrived during the last transaction into the next one. */
function drain(requests: WireRequest[]): void {
  for (;;) {
    const waiting = requests.length < MAX_BATCH ? receiveMessageOnPort(port) : undefined;
    if (waiting) requests = requests.concat(waiting.message as WireRequest[]);
    else if (requests.length === 0) return;
    else requests = answerSome(requests);
  }
}

/** Answers the first requests, which belong together. Returns the rest. */
function answerSome(requests: WireRequest[]): WireRequest[] {
  const [first] = requests;
  if (first && !("kind" in first)) {
    const end = requests.findIndex((request, place) => "kind" in request || place === MAX_BATCH);
    const writes = (end < 0 ? requests : requests.slice(0, end)) as PackedWrite[];
    port.postMessage(writeBatch(writing, begin, writes.map(unpacked)));
    return end < 0 ? [] : requests.slice(end);
  }
  if (first) port.postMessage([answer(first)]);
  if (first?.kind === "close") port.close();
  return requests.slice(1);
}

function answer(request: Exclude<WireRequest, PackedWrite>): WireReply {
  try {
    if (request.kind === "table") tables.make(request.plan, () => presence.isFirst());
    if (request.kind === "prepare") transact(database, () => database.exec(request.sql));
    if (request.kind === "ping") proveWrites(request.large);
    if (request.kind === "checkpoint") database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    if (request.kind === "close") {
      presence.leave();
      database.close();
    }
    return [];
  } catch (error) {
    const reason = error instanceof OtherTablesError && presence.isUnsure() ? "unsure" : "failed";
    return { failure: { reason, message: error instanceof Error ? error.message : String(error), op: 0 } };
  }
}

presence.enter();
port.on("message", drain);
port.postMessage([[]]);
// Each thread has a cache of compiled code of its own, and Node does not write it when the process is killed.
flushCompileCache();
