import { brokenOff, EventLines, eventJson, failedInside } from "./event-lines.ts";
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

/** A part of nothing but words, which the next ones continue. */
const isWords = (part: Part | undefined): part is Part & { text: string } =>
  typeof part?.text === "string" && Object.keys(part).every(name => name === "text" || name === "thought");

/**
 * Puts a streamed answer of Google's protocol together again, to the form that an answer in one piece has: each event is an
 * answer with some of the parts. `told` hears the words of the model as they come.
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

  /** @throws {ModelError | Passing} when the stream is of another form, or tells an error */
  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  /** The whole answer. @throws {Passing} when the stream ended before it */
  whole(): unknown {
    // An answer to a prompt that is refused has no candidate.
    if (!this.#candidate?.finishReason && !this.#answer.promptFeedback) throw brokenOff();
    if (!this.#candidate) return this.#answer;
    const content = { role: "model", parts: this.#parts };
    return { ...this.#answer, candidates: [{ ...this.#candidate, content }] };
  }

  #take({ error, candidates, ...rest }: Json): void {
    if (error) throw failedInside();
    // What an event says again, such as the tokens up to it, counts in place of what was said before.
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
