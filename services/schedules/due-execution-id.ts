import { createHash } from "node:crypto";
import { v7 as uuid } from "uuid";

/**
 * The id of the one execution that a schedule starts for a due minute (ms since 1970): whoever starts it, and however
 * often. A UUIDv7 of that minute, so that it sorts as other executions do.
 */
export const dueExecutionId = (scheduleId: string, dueMs: number): string =>
  uuid({ msecs: dueMs, random: createHash("sha256").update(`${scheduleId} ${dueMs}`).digest().subarray(0, 16) });
