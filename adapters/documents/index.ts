import { join } from "node:path";
import { createProcessPool, type TaskFailure } from "../processes/process-pool.ts";
import { type Answer, DocumentError, type DocumentErrorCode, type Section, type Task } from "./messages.ts";

export { DocumentError, type DocumentErrorCode, type Section } from "./messages.ts";

/** Extracts text from files. Each file gets its own process, which is ended when it takes too much time or memory. */
export interface DocumentReader {
  /**
   * Reads a file. Groups (workspaces) take turns.
   * @throws {DocumentError} when the file has no readable text, or takes too much time or memory.
   * @throws the signal's reason when the signal is aborted.
   */
  read(file: Task, group: string, signal?: AbortSignal): Promise<Section[]>;
  close(): Promise<void>;
}

const FILE = join(import.meta.dirname, "document-process.ts");
const TIMEOUT_MS = 30_000;
const LIMITS = { processes: 1, maxQueue: 100, maxWaitMs: 120_000, idleMs: 10_000, heapMb: 256 };

const TROUBLES: Record<TaskFailure, [DocumentErrorCode, string]> = {
  busy: ["file_reader_busy", "Too many files are waiting. Try again later."],
  timeout: ["file_too_complex", "Reading the file takes too long."],
  memory: ["file_too_complex", "Reading the file takes too much memory."],
  ended: ["file_unreadable", "The file ended the process that read it."],
  not_started: ["file_reader_busy", "The process that reads files could not be started."],
  stopping: ["file_reader_busy", "The service is stopping."],
  not_copyable: ["file_unreadable", "The file cannot be read."],
};

export function createDocumentReader(limits: { timeoutMs?: number } = {}): DocumentReader {
  const { timeoutMs = TIMEOUT_MS } = limits;
  const pool = createProcessPool<Task, Answer>(FILE, LIMITS, trouble => new DocumentError(...TROUBLES[trouble]));
  return {
    async read(file, group, signal) {
      const answer = await pool.run(() => file, { group, timeoutMs, signal });
      if ("sections" in answer) return answer.sections;
      throw new DocumentError(answer.error.code, answer.error.message);
    },
    close: () => pool.close(),
  };
}
