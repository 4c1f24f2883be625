import type { StreamEvent } from "./feed.ts";

/** What the id of an event looks like. */
export const EVENT_ID_PATTERN = "^\\d{1,15}$";

/** A comment, which clients throw away; it tells both sides and all between that the stream lives. */
export const KEEP_ALIVE = ": keep-alive\n\n";

/** After how many milliseconds a client that lost its stream asks again. */
export const RETRY = "retry: 2000\n\n";

/** One event (HTML standard, section 9.2). JSON has no line breaks of its own, so it fits on one line. */
export const eventText = ({ id, event, data }: StreamEvent): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
