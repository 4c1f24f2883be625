import { LOG_EVENTS } from "../../contracts/entities/execution.ts";
import type { JournalEntry } from "./entry.ts";

/**
 * The journal format that this version supports. Increase it with each new entry, or new field of an entry, that an
 * older worker must not ignore when it continues the execution. Only such entries state it as `needs`.
 */
export const JOURNAL_FORMAT = 7;

const EVENTS: ReadonlySet<string> = new Set(["execution.created", ...LOG_EVENTS]);

/**
 * A newer version has continued the execution in a way that this version does not understand. Clients see
 * `unavailable`.
 */
export class NewerEntryError extends Error {
  override readonly name = "NewerEntryError";
  readonly type = "unavailable";
  constructor() {
    super("a newer version of Weft has moved the execution on");
  }
}

/** Whether this version understands an entry. */
export const isUnderstood = (entry: JournalEntry): boolean =>
  EVENTS.has(entry.event) && (!("needs" in entry) || (entry.needs ?? 0) <= JOURNAL_FORMAT);
