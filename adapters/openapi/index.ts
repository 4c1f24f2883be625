import { join } from "node:path";
import type { ApiDescription } from "../../core/openapi/operation.ts";
import { createProcessPool, type TaskFailure } from "../processes/process-pool.ts";
import { type Answer, ApiDocumentError, type Task } from "./messages.ts";

export { ApiDocumentError } from "./messages.ts";

/**
 * Reads OpenAPI documents. Each document gets its own process, which is ended when it takes too much time or memory.
 */
export interface ApiDocumentReader {
  /**
   * Reads a document. Groups (workspaces) take turns.
   * @throws {ApiDocumentError} when the document cannot be read
   * @throws the signal's reason when the signal is aborted
   */
  read(document: Task, group: string, signal?: AbortSignal): Promise<ApiDescription>;
  close(): Promise<void>;
}

const FILE = join(import.meta.dirname, "document-process.ts");
const TIMEOUT_MS = 20_000;
const LIMITS = { processes: 1, maxQueue: 100, maxWaitMs: 120_000, idleMs: 10_000, heapMb: 512 };

const TROUBLES: Record<TaskFailure, [message: string, passing: boolean]> = {
  busy: ["Too many documents are waiting to be read. Try again later.", true],
  timeout: ["Reading the document takes too long.", false],
  memory: ["Reading the document takes too much memory.", false],
  ended: ["The document ended the process that read it.", false],
  not_started: ["The process that reads documents could not be started.", true],
  stopping: ["The service is stopping.", true],
  not_copyable: ["The document cannot be read.", false],
};

export function createApiDocumentReader(): ApiDocumentReader {
  const pool = createProcessPool<Task, Answer>(FILE, LIMITS, trouble => new ApiDocumentError(...TROUBLES[trouble]));
  return {
    async read(document, group, signal) {
      const answer = await pool.run(() => document, { group, timeoutMs: TIMEOUT_MS, signal });
      if ("description" in answer) return answer.description;
      throw new ApiDocumentError(answer.error, false);
    },
    close: () => pool.close(),
  };
}
