import { ModelError, TransientModelError } from "./model-error.ts";

/** The longest line. Servers send a line for every few words. */
const MAX_LINE = 1_048_576;
/** The longest answer, in characters of text and of arguments. */
const MAX_CHARS = 4 * 1_048_576;

/** The error for a stream that ended before its answer. */
export const streamEndedEarly = () =>
  new TransientModelError(new ModelError("model_unavailable", "The model's answer broke off"));

/** The error for a stream that reports an error. The server's text may quote the request, so it is not shown. */
export const streamReportedError = () =>
  new TransientModelError(new ModelError("model_unavailable", "The model's server failed while it answered"));

/**
 * The JSON object of a server-sent event.
 * @throws {TransientModelError} when the data is not a JSON object
 */
export function eventJson(data: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    value = null;
  }
  if (typeof value !== "object" || value === null)
    throw new TransientModelError(
      new ModelError("model_bad_output", "The model's stream has an event that is not a JSON object"),
    );
  return value as Record<string, unknown>;
}

/**
 * Splits a stream of server-sent events into the data of its events. In all protocols of models, the data of an event
 * is one line.
 */
export class EventLines {
  readonly #take: (data: string) => void;
  readonly #decoder = new TextDecoder();
  /** The beginning of a line. A line may arrive in many small chunks, so it is searched when its end has arrived. */
  #rest = "";
  #endsInReturn = false;
  #size = 0;

  constructor(take: (data: string) => void) {
    this.#take = take;
  }

  /** @throws {ModelError} when a line is too long; also the errors of `take` */
  push(chunk: Uint8Array): void {
    const text = this.#decoder.decode(chunk, { stream: true });
    const hasEnd = this.#endsInReturn || /[\r\n]/.test(text);
    this.#rest += text;
    const lines = hasEnd ? this.#rest.split(/\r\n|\n|\r(?!$)/) : [this.#rest];
    this.#rest = lines.pop() ?? "";
    if (hasEnd) this.#endsInReturn = this.#rest.endsWith("\r");
    if (this.#rest.length > MAX_LINE)
      throw new ModelError("model_bad_output", "The model's stream has too long a line");
    for (const line of lines) {
      const data = line.startsWith("data:") ? line.slice(5).trim() : "";
      if (data !== "") this.#take(data);
    }
  }

  /**
   * Counts the kept characters of the stream.
   * @throws {ModelError} when there are too many
   */
  grow({ length }: string): void {
    this.#size += length;
    if (this.#size > MAX_CHARS) throw new ModelError("model_bad_output", "The model's answer is too large");
  }
}
