import { EventSourceParserStream } from "eventsource-parser/stream";
import type { Api, Json } from "./api.ts";
import { HANG_MS } from "./hang.ts";

export interface StreamEvent {
  id: number;
  event: string;
  /** The log entry. */
  data: Json;
}

/** The event stream of an execution, read like a client. */
export class EventStream {
  readonly status: number;
  /** All events so far. */
  readonly events: StreamEvent[] = [];
  /** True if the stream broke off, for example because the server was killed, instead of ending. */
  broken = false;
  private readonly leave: AbortController;
  private readonly reader: AsyncIterator<{ id?: string; event?: string; data: string }> | undefined;

  private constructor(response: Response, leave: AbortController) {
    this.status = response.status;
    this.leave = leave;
    const events = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    this.reader = events?.[Symbol.asyncIterator]();
  }

  /** `path` is the path of the execution, and `lastEventId` the last event that the client received. */
  static async open(api: Api, path: string, lastEventId?: number, query = ""): Promise<EventStream> {
    const leave = new AbortController();
    const response = await fetch(`${api.url}${path}/events${query}`, {
      headers: {
        authorization: `Bearer ${api.token}`,
        ...(lastEventId !== undefined && { "last-event-id": String(lastEventId) }),
      },
      signal: AbortSignal.any([leave.signal, AbortSignal.timeout(HANG_MS)]),
    });
    return new EventStream(response, leave);
  }

  get lastId(): number {
    return this.events.at(-1)?.id ?? 0;
  }

  /** The next event; null when the stream has ended. */
  async next(): Promise<StreamEvent | null> {
    try {
      const { value, done } = (await this.reader?.next()) ?? { done: true };
      if (done || !value) return null;
      const event = { id: Number(value.id), event: value.event ?? "", data: JSON.parse(value.data) };
      this.events.push(event);
      return event;
    } catch {
      this.broken = true;
      return null;
    }
  }

  /** Reads up to the first event with this name. Throws if the stream ends before it. */
  async until(name: string): Promise<StreamEvent> {
    for (let event = await this.next(); event; event = await this.next()) if (event.event === name) return event;
    const end = this.status !== 200 ? `answered ${this.status}` : this.broken ? "broke off" : "ended";
    throw new Error(`The stream ${end} without ${name}, after ${this.events.map(e => e.event).join(", ")}`);
  }

  /** Reads to the end of the stream. */
  async toEnd(): Promise<StreamEvent[]> {
    while (await this.next());
    return this.events;
  }

  close(): void {
    this.leave.abort();
  }
}
