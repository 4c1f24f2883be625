import { ModelError, Passing } from "./model-error.ts";

interface Delta {
  content?: unknown;
  refusal?: unknown;
  tool_calls?: unknown;
}

interface Call {
  id?: unknown;
  type?: unknown;
  function: { name: string; arguments: string };
}

const MAX_CALLS = 128;
/** The longest line. A server sends a line for every few words. */
const MAX_LINE = 1_048_576;
/** The longest answer, in characters of text and of arguments. */
const MAX_CHARS = 4 * 1_048_576;

const brokenOff = () => new Passing(new ModelError("model_unavailable", "The model's answer broke off"));

/**
 * Puts a streamed answer of OpenAI's protocol together again, to the form that an answer in one piece has. `told` hears
 * the words of the model as they come.
 */
export class StreamedCompletion {
  readonly #told: (words: string) => void;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #content = "";
  #refusal = "";
  readonly #calls: Call[] = [];
  #reason: unknown = null;
  #usage: unknown;
  #isDone = false;
  #size = 0;

  constructor(told: (words: string) => void) {
    this.#told = told;
  }

  /** @throws {ModelError | Passing} when the stream is of another form, or tells an error */
  push(chunk: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length > MAX_LINE)
      throw new ModelError("model_bad_output", "The model's stream has too long a line");
    for (const line of lines) if (line.startsWith("data:")) this.#take(line.slice(5).trim());
  }

  /** The whole answer. @throws {Passing} when the stream ended before it */
  whole(): unknown {
    if (!this.#isDone && this.#reason === null) throw brokenOff();
    const message = {
      content: this.#content,
      ...(this.#refusal !== "" && { refusal: this.#refusal }),
      ...(this.#calls.length > 0 && { tool_calls: this.#calls.filter(Boolean) }),
    };
    return { choices: [{ message, finish_reason: this.#reason }], usage: this.#usage ?? null };
  }

  #take(data: string): void {
    if (data === "") return;
    if (data === "[DONE]") {
      this.#isDone = true;
      return;
    }
    let part: { choices?: { delta?: Delta | null; finish_reason?: unknown }[]; usage?: unknown; error?: unknown };
    try {
      part = JSON.parse(data) as typeof part;
    } catch {
      throw new Passing(new ModelError("model_bad_output", "The model's stream holds what is not JSON"));
    }
    if (part.error)
      throw new Passing(new ModelError("model_unavailable", "The model's server failed while it answered"));
    this.#usage = part.usage ?? this.#usage;
    const choice = Array.isArray(part.choices) ? part.choices[0] : undefined;
    this.#reason = choice?.finish_reason ?? this.#reason;
    if (choice?.delta) this.#add(choice.delta);
  }

  #add({ content, refusal, tool_calls: calls }: Delta): void {
    if (typeof refusal === "string") this.#refusal += refusal;
    if (Array.isArray(calls)) for (const call of calls) this.#addCall(call as { index?: unknown } & Partial<Call>);
    if (typeof content !== "string" || content === "") return;
    this.#grow(content);
    this.#content += content;
    this.#told(content);
  }

  /** A call comes in parts: its id and name first, then its arguments piece by piece. */
  #addCall({ index, id, type, function: given }: { index?: unknown } & Partial<Call>): void {
    const at = typeof index === "number" ? index : this.#calls.length;
    if (!(Number.isInteger(at) && at >= 0 && at < MAX_CALLS))
      throw new ModelError("model_bad_output", "The model asks for too many calls");
    const call = (this.#calls[at] ??= { function: { name: "", arguments: "" } });
    call.id ??= id;
    call.type ??= type;
    if (typeof given?.name === "string") call.function.name += given.name;
    if (typeof given?.arguments !== "string") return;
    this.#grow(given.arguments);
    call.function.arguments += given.arguments;
  }

  #grow({ length }: string): void {
    this.#size += length;
    if (this.#size > MAX_CHARS) throw new ModelError("model_bad_output", "The model's answer is too large");
  }
}
