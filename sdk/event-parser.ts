export interface RawEvent {
  id: string | undefined;
  event: string;
  data: string;
}

/** The maximum length of an event in characters. A longer event is an error. */
const MAX_EVENT = 8 * 1024 * 1024;

/**
 * Parses Server-Sent Events (HTML standard, section 9.2.6) from pieces of text, which may be split anywhere.
 * @throws {RangeError} when an event exceeds the maximum length
 */
export class EventParser {
  /** The reconnection delay that the server asked for, in milliseconds. */
  retryMs: number | undefined;
  #rest = "";
  #id: string | undefined;
  #event = "";
  #data: string[] = [];
  #size = 0;

  push(text: string): RawEvent[] {
    const events: RawEvent[] = [];
    // A carriage return at the end may be the first half of a CRLF.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    this.#bounded(this.#rest.length);
    for (const line of lines) {
      const event = line === "" ? this.#dispatch() : this.#field(line);
      if (event) events.push(event);
    }
    return events;
  }

  #bounded(more: number): void {
    if (this.#size + more > MAX_EVENT) throw new RangeError("An event of the stream is too large");
  }

  #field(line: string): undefined {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") {
      this.#bounded(value.length);
      this.#size += value.length;
      this.#data.push(value);
    } else if (name === "event") this.#event = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    else if (name === "retry" && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
  }

  #dispatch(): RawEvent | undefined {
    const [data, event] = [this.#data, this.#event];
    [this.#data, this.#event, this.#size] = [[], "", 0];
    return data.length > 0 ? { id: this.#id, event: event || "message", data: data.join("\n") } : undefined;
  }
}
