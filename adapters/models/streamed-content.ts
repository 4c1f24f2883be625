import { streamEndedEarly, EventLines, eventJson, streamReportedError } from "./event-lines.ts";
import type { EventReader } from "./model-server.ts";

type Json = Record<string, unknown>;

interface Part extends Json {
  text?: unknown;
  thought?: unknown;
}

interface Candidate extends Json {
  content?: { role?: unknown; parts?: Part[] } | null;
}

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** A part that contains only words. The next words continue it. */
const isWords = (part: Part | undefined): part is Part & { text: string } =>
  typeof part?.text === "string" && Object.keys(part).every(name => name === "text" || name === "thought");

/**
 * Assembles a streamed answer of Google's protocol in the form of a non-streamed one. Each event is an answer with some
 * of the parts. `told` receives the model's words as they arrive.
 */
export class StreamedContent implements EventReader {
  readonly #told: (words: string) => void;
  readonly #lines = new EventLines(data => this.#take(eventJson(data)));
  readonly #parts: Part[] = [];
  #answer: Json = {};
  #candidate: Candidate | undefined;

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
    // The answer to a refused prompt has no candidate.
    if (!this.#candidate?.finishReason && !this.#answer.promptFeedback) throw streamEndedEarly();
    if (!this.#candidate) return this.#answer;
    const content = { role: "model", parts: this.#parts };
    return { ...this.#answer, candidates: [{ ...this.#candidate, content }] };
  }

  #take({ error, candidates, ...rest }: Json): void {
    if (error) throw streamReportedError();
    // Values that an event repeats, such as the tokens so far, replace the earlier ones.
    this.#answer = { ...this.#answer, ...rest };
    const [candidate] = Array.isArray(candidates) ? (candidates as unknown[]) : [];
    if (!isObject(candidate)) return;
    const { content, ...ends } = candidate as Candidate;
    this.#candidate = { ...this.#candidate, ...ends };
    if (Array.isArray(content?.parts)) for (const part of content.parts) if (isObject(part)) this.#add(part);
  }

  #add(part: Part): void {
    const last = this.#parts.at(-1);
    this.#lines.grow(JSON.stringify(part));
    if (isWords(part) && isWords(last) && part.thought === last.thought) last.text += part.text;
    else this.#parts.push({ ...part });
    if (typeof part.text === "string" && part.text !== "" && part.thought !== true) this.#told(part.text);
  }
}
