import { createParser, type EventSourceMessage } from "eventsource-parser";
import { TOKEN } from "./gateway.ts";

export interface OpenStream {
  status: number;
  headers: Headers;
  /** The next event, or undefined once the stream has ended. */
  next: () => Promise<EventSourceMessage | undefined>;
  /** All events to the end of the stream. */
  rest: () => Promise<EventSourceMessage[]>;
  /** The reconnection delay that the server sent, in milliseconds. */
  retry: () => number | undefined;
  leave: () => void;
}

/** Opens a stream of Server-Sent Events as a browser would. */
export async function openStream(
  url: string,
  { lastEventId, token = TOKEN }: { lastEventId?: string; token?: string } = {},
): Promise<OpenStream> {
  const aborter = new AbortController();
  const response = await fetch(url, {
    signal: aborter.signal,
    headers: {
      accept: "text/event-stream",
      authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
    },
  });
  const events: EventSourceMessage[] = [];
  let retry: number | undefined;
  const parser = createParser({ onEvent: event => events.push(event), onRetry: ms => (retry = ms) });
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  const next = async () => {
    while (events.length === 0) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return undefined;
      parser.feed(decoder.decode(chunk.value, { stream: true }));
    }
    return events.shift();
  };
  return {
    status: response.status,
    headers: response.headers,
    next,
    rest: async () => {
      const all: EventSourceMessage[] = [];
      for (let event = await next(); event; event = await next()) all.push(event);
      return all;
    },
    retry: () => retry,
    leave: () => aborter.abort(),
  };
}
