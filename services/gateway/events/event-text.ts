import type { StreamEvent } from "./feed.ts";

/** The form of an event's id. */
export const EVENT_ID_PATTERN = "^\\d{1,15}$";

/** A comment, which clients ignore. It shows both ends and all proxies that the stream is alive. */
export const KEEP_ALIVE = ": keep-alive\n\n";

/** The delay before a client that lost its stream reconnects, in milliseconds. */
export const RETRY = "retry: 2000\n\n";

/** An event that is not stored. It has no id, because clients cannot resume from it. */
export const unstoredEventText = (event: string, data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** One event (HTML standard, section 9.2). JSON.stringify writes no line breaks, so the data fits on one line. */
export const eventText = ({ id, event, data }: StreamEvent): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
