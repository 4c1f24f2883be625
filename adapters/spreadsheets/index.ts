import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Gate, GateFullError } from "../processes/gate.ts";
import { createProcessPool, type TaskFailure } from "../processes/process-pool.ts";
import {
  type Answer,
  MAX_SHEET_BYTES,
  type ReadOptions,
  SpreadsheetError,
  type SpreadsheetErrorCode,
  type Table,
  type Task,
  type WrittenSheet,
} from "./messages.ts";

export { MAX_SHEET_BYTES, type ReadOptions, SpreadsheetError, type Table, type WrittenSheet } from "./messages.ts";

interface TaskOptions {
  /** The group, usually a workspace. Groups take turns. */
  group: string;
  signal: AbortSignal;
}

interface SheetFile {
  /** In bytes. */
  size: number;
  open: () => AsyncIterable<Uint8Array>;
}

/** Reads and writes spreadsheets, in processes that are ended when they take too much time or memory. */
export interface Spreadsheets {
  /**
   * Reads a table.
   * @throws {SpreadsheetError} when the file cannot be read, or exceeds a limit
   * @throws the signal's reason after an abort, and the error of `open`
   */
  read(file: SheetFile, options: ReadOptions, turn: TaskOptions): Promise<Table>;
  /** Returns the bytes of an XLSX file. The errors are those of `read`. */
  write(sheets: WrittenSheet[], turn: TaskOptions): Promise<Uint8Array>;
  close(): Promise<void>;
}

const FILE = join(import.meta.dirname, "spreadsheet-process.ts");
/** The limit of processor time, in ms. The step's own time limit applies too. */
const TIMEOUT_MS = 30_000;
const AT_ONCE = 2;
const WAITING = 200;
const LIMITS = { processes: AT_ONCE, perGroup: 1, maxQueue: 100, maxWaitMs: 120_000, idleMs: 10_000, heapMb: 384 };

const TROUBLES: Record<TaskFailure, [SpreadsheetErrorCode, string]> = {
  busy: ["file_reader_busy", "Too many spreadsheets are waiting. Try again later."],
  timeout: ["file_too_complex", "The spreadsheet takes too long."],
  memory: ["file_too_complex", "The spreadsheet takes too much memory."],
  ended: ["file_unreadable", "The file ended the process that read it."],
  not_started: ["file_reader_busy", "The process for spreadsheets could not be started."],
  stopping: ["file_reader_busy", "The service is stopping."],
  not_copyable: ["invalid_data", "The rows are not JSON."],
};
const troubled = (trouble: TaskFailure) => new SpreadsheetError(...TROUBLES[trouble]);

export function createSpreadsheets(limits: { timeoutMs?: number } = {}): Spreadsheets {
  const { timeoutMs = TIMEOUT_MS } = limits;
  const pool = createProcessPool<Task, Answer>(FILE, LIMITS, troubled);
  // A file is in memory only while a process works on it.
  const gate = new Gate({ atOnce: AT_ONCE, waiting: WAITING });

  async function inTurn(make: () => Task | Promise<Task>, { group, signal }: TaskOptions) {
    const work = async () => {
      const task = await make();
      return pool.run(() => task, { group, timeoutMs, ofProcessor: true, signal });
    };
    const answer = await gate.run(group, work, signal).catch((error: unknown) => {
      throw error instanceof GateFullError ? troubled("busy") : error;
    });
    if ("error" in answer) throw new SpreadsheetError(answer.error.code, answer.error.message);
    return answer;
  }

  return {
    async read({ size, open }, options, turn) {
      if (size > MAX_SHEET_BYTES)
        throw new SpreadsheetError(
          "file_too_large",
          `A spreadsheet that is read has at most ${MAX_SHEET_BYTES / 1_048_576} MiB.`,
        );
      const answer = await inTurn(async () => ({ read: options, bytes: await buffer(open()) }), turn);
      if ("table" in answer) return answer.table;
      throw troubled("ended");
    },
    async write(sheets, turn) {
      const answer = await inTurn(() => ({ write: sheets }), turn);
      if ("bytes" in answer) return answer.bytes;
      throw troubled("ended");
    },
    close: () => pool.close(),
  };
}
