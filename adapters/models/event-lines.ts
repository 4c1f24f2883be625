import { ModelError, Passing } from "./model-error.ts";

/** The longest line. A server sends a line for every few words. */
const MAX_LINE = 1_048_576;
/** The longest answer, in characters of text and of arguments. */
const MAX_CHARS = 4 * 1_048_576;

/** For a stream that ended before its answer. */
export const brokenOff = () => new Passing(new ModelError("model_unavailable", "The model's answer broke off"));

/** For a stream that tells an error. What it says may quote the request. */
export const failedInside = () =>
  new Passing(new ModelError("model_unavailable", "The model's server failed while it answered"));

/** The JSON object of a server-sent event. @throws {Passing} when the data is not a JSON object */
export function eventJson(data: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    value = null;
  }
  if (typeof value !== "object" || value === null)
    throw new Passing(new ModelError("model_bad_output", "The model's stream has an event that is not a JSON object"));
  return value as Record<string, unknown>;
}

/** Cuts a stream of server-sent events into the data of its events, each of one line as all protocols of models have it. */
export class EventLines {
  readonly #take: (data: string) => void;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #size = 0;

  constructor(take: (data: string) => void) {
    this.#take = take;
  }

  /** @throws {ModelError} when a line is too long; whatever `take` throws */
  push(chunk: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length > MAX_LINE)
      throw new ModelError("model_bad_output", "The model's stream has too long a line");
    for (const line of lines) {
      const data = line.startsWith("data:") ? line.slice(5).trim() : "";
      if (data !== "") this.#take(data);
    }
  }

  /** Counts what is kept of the stream. @throws {ModelError} when that is too much */
  grow({ length }: string): void {
    this.#size += length;
    if (this.#size > MAX_CHARS) throw new ModelError("model_bad_output", "The model's answer is too large");
  }
}
