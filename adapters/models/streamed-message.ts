import { streamEndedEarly, EventLines, eventJson, streamReportedError } from "./event-lines.ts";
import { ModelError } from "./model-error.ts";
import type { EventReader } from "./model-server.ts";

type Json = Record<string, unknown>;

const MAX_BLOCKS = 512;

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** The growing fields of a block, by the type of the part that extends them. */
const GROWING: ReadonlyMap<unknown, readonly [from: string, to: string]> = new Map([
  ["text_delta", ["text", "text"]],
  ["thinking_delta", ["thinking", "thinking"]],
  ["signature_delta", ["signature", "signature"]],
  ["input_json_delta", ["partial_json", "arguments"]],
]);

/** Arguments that are not JSON stay text, and are refused later. */
function inputOf(text: string): unknown {
  if (text === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/**
 * Assembles a streamed answer of Anthropic's protocol in the form of a non-streamed message. `told` receives the
 * model's words as they arrive.
 */
export class StreamedMessage implements EventReader {
  readonly #told: (words: string) => void;
  readonly #lines = new EventLines(data => this.#take(eventJson(data)));
  readonly #blocks: Json[] = [];
  #message: Json | undefined;
  #isDone = false;

  constructor(told: (words: string) => void) {
    this.#told = told;
  }

  /** @throws {ModelError | TransientModelError} when the stream has another form, or reports an error */
  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  /**
   * The whole message.
   * @throws {TransientModelError} when the stream ended before it
   */
  whole(): unknown {
    if (!this.#message || !this.#isDone) throw streamEndedEarly();
    const content = this.#blocks
      .filter(Boolean)
      .map(({ arguments: given, ...block }) =>
        typeof given === "string" ? { ...block, input: inputOf(given) } : block,
      );
    return { ...this.#message, content };
  }

  #take(event: Json): void {
    const { type, index, message, content_block: block, delta, usage } = event;
    if (type === "error") throw streamReportedError();
    if (type === "message_start" && isObject(message)) this.#message = message;
    if (type === "content_block_start" && isObject(block)) this.#begin(index, block);
    if (type === "content_block_delta" && isObject(delta)) this.#add(this.#blocks[Number(index)], delta);
    // These events concern the message as a whole: the reason of its end, and its tokens.
    if (type === "message_delta" && this.#message) {
      const had = this.#message.usage;
      this.#message = {
        ...this.#message,
        ...(isObject(delta) && delta),
        usage: { ...(isObject(had) && had), ...(isObject(usage) && usage) },
      };
    }
    if (type === "message_stop") this.#isDone = true;
  }

  #begin(index: unknown, block: Json): void {
    const at = Number(index);
    if (!(Number.isInteger(at) && at >= 0 && at < MAX_BLOCKS))
      throw new ModelError("model_bad_output", "The model's answer has too many parts");
    this.#lines.grow(JSON.stringify(block));
    this.#blocks[at] = { ...block, ...(block.type === "tool_use" && { arguments: "" }) };
    if (block.type === "text" && typeof block.text === "string" && block.text !== "") this.#told(block.text);
  }

  #add(block: Json | undefined, delta: Json): void {
    const [from, to] = GROWING.get(delta.type) ?? [];
    const part = from === undefined ? undefined : delta[from];
    if (!block || to === undefined || typeof part !== "string") return;
    this.#lines.grow(part);
    const had = block[to];
    block[to] = (typeof had === "string" ? had : "") + part;
    if (delta.type === "text_delta" && part !== "") this.#told(part);
  }
}
