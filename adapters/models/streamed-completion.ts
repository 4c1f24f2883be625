import { streamEndedEarly, EventLines, eventJson, streamReportedError } from "./event-lines.ts";
import { ModelError } from "./model-error.ts";

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

/**
 * Assembles a streamed answer of OpenAI's protocol in the form of a non-streamed one. `told` receives the model's words
 * as they arrive.
 */
export class StreamedCompletion {
  readonly #told: (words: string) => void;
  readonly #lines = new EventLines(data => this.#take(data));
  #content = "";
  #refusal = "";
  readonly #calls: Call[] = [];
  #reason: unknown = null;
  #usage: unknown;
  #isDone = false;

  constructor(told: (words: string) => void) {
    this.#told = told;
  }

  /** @throws {ModelError | TransientModelError} when the stream has another form, or reports an error */
  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  /**
   * The whole answer.
   * @throws {TransientModelError} when the stream ended before it
   */
  whole(): unknown {
    if (!this.#isDone && this.#reason === null) throw streamEndedEarly();
    const message = {
      content: this.#content,
      ...(this.#refusal !== "" && { refusal: this.#refusal }),
      ...(this.#calls.length > 0 && { tool_calls: this.#calls.filter(Boolean) }),
    };
    return { choices: [{ message, finish_reason: this.#reason }], usage: this.#usage ?? null };
  }

  #take(data: string): void {
    if (data === "[DONE]") {
      this.#isDone = true;
      return;
    }
    const part: { choices?: { delta?: Delta | null; finish_reason?: unknown }[]; usage?: unknown; error?: unknown } =
      eventJson(data);
    if (part.error) throw streamReportedError();
    this.#usage = part.usage ?? this.#usage;
    const choice = Array.isArray(part.choices) ? part.choices[0] : undefined;
    this.#reason = choice?.finish_reason ?? this.#reason;
    if (choice?.delta) this.#add(choice.delta);
  }

  #add({ content, refusal, tool_calls: calls }: Delta): void {
    if (typeof refusal === "string") this.#refusal += refusal;
    if (Array.isArray(calls)) for (const call of calls) this.#addCall(call as { index?: unknown } & Partial<Call>);
    if (typeof content !== "string" || content === "") return;
    this.#lines.grow(content);
    this.#content += content;
    this.#told(content);
  }

  /** A call arrives in parts: its id and name first, then its arguments piece by piece. */
  #addCall({ index, id, type, function: given }: { index?: unknown } & Partial<Call>): void {
    const at = typeof index === "number" ? index : this.#calls.length;
    if (!(Number.isInteger(at) && at >= 0 && at < MAX_CALLS))
      throw new ModelError("model_bad_output", "The model asks for too many calls");
    const call = (this.#calls[at] ??= { function: { name: "", arguments: "" } });
    call.id ??= id;
    call.type ??= type;
    if (typeof given?.name === "string") call.function.name += given.name;
    if (typeof given?.arguments !== "string") return;
    this.#lines.grow(given.arguments);
    call.function.arguments += given.arguments;
  }
}
