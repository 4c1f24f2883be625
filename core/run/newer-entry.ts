import { LOG_EVENTS } from "../../contracts/entities/execution.ts";
import type { JournalEntry } from "./entry.ts";

/**
 * The journal format that this version understands. It must be increased with each new entry, or field of an entry,
 * that a worker must not ignore when it goes on with the execution. Only such entries state it as `needs`.
 */
export const JOURNAL_FORMAT = 7;

const EVENTS: ReadonlySet<string> = new Set(["execution.created", ...LOG_EVENTS]);

/**
 * A newer version has moved the execution on in a way that this version does not understand. Clients see `unavailable`.
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
