import { LOG_EVENTS } from "../../contracts/entities/execution.ts";
import type { JournalEntry } from "./entry.ts";

/**
 * What this version understands of journals. Who adds an entry, or a field of one, that nobody may pass over who goes on with
 * the execution, makes it one more, and says it as `needs` in such entries alone.
 */
export const JOURNAL_FORMAT = 1;

const EVENTS: ReadonlySet<string> = new Set(["execution.created", ...LOG_EVENTS]);

/** A newer version has moved the execution on, in a way that this one does not understand. For clients: not available here. */
export class NewerEntryError extends Error {
  override readonly name = "NewerEntryError";
  readonly type = "unavailable";
  constructor() {
    super("a newer version of Weft has moved the execution on");
  }
}

/** Whether this version knows what an entry does. */
export const isUnderstood = (entry: JournalEntry): boolean =>
  EVENTS.has(entry.event) && (!("needs" in entry) || (entry.needs ?? 0) <= JOURNAL_FORMAT);
