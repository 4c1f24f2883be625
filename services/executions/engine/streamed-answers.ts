import { v7 as uuid } from "uuid";
import type { StepWords } from "../../../contracts/entities/execution.ts";
import type { EventOf } from "../../../contracts/events.ts";
import type { ExecutionDoc } from "../store/model.ts";
import type { FollowerRegistry } from "./follower-registry.ts";
import type { Secrets } from "./steps/secrets.ts";

/** The step that waits for an answer. */
export interface Writer {
  doc: Pick<ExecutionDoc, "id"> & { trigger?: Pick<ExecutionDoc["trigger"], "type"> };
  place: Pick<StepWords, "nodeId" | "path" | "turn">;
  secrets: Pick<Secrets, "mask" | "longest">;
}

/** An encoded secret, such as one in a URL, is at most this many times longer. */
const SPELLING = 3;

/** The part of one answer that may be sent to followers. */
class Answer {
  readonly #writer: Writer;
  readonly #watch: FollowerRegistry;
  #text = "";
  #told = 0;
  #round = -1;

  constructor(writer: Writer, watch: FollowerRegistry) {
    this.#writer = writer;
    this.#watch = watch;
  }

  heard(at: number, words: string): void {
    // A hint may be lost. Text after a gap would be at the wrong position.
    if (at > this.#text.length) return;
    this.#text = this.#text.slice(0, at) + words;
    if (at === 0) this.#told = 0;
    this.flush();
  }

  isOf(executionId: string): boolean {
    return this.#writer.doc.id === executionId;
  }

  /** Sends followers of the run the text that they do not have yet. */
  flush(): void {
    const { doc, place, secrets } = this.#writer;
    const round = this.#watch.roundOf(doc.id);
    if (round === undefined) return;
    // A new follower has no text yet.
    if (round !== this.#round) this.#told = 0;
    this.#round = round;
    const masked = secrets.mask(this.#text);
    // The end of the text may be the beginning of a secret, so it waits.
    const upTo = secrets.longest === 0 ? masked.length : masked.length - secrets.longest * SPELLING;
    if (upTo <= this.#told) return;
    this.#watch.tellWords(doc.id, { ...place, at: this.#told, text: masked.slice(this.#told, upTo) });
    this.#told = upTo;
  }
}

/** Sends the growing answers of language models on this node to the followers of their runs. */
export class StreamedAnswers {
  readonly #watch: FollowerRegistry;
  readonly #answers = new Map<string, Answer>();

  constructor(watch: FollowerRegistry) {
    this.#watch = watch;
  }

  /**
   * Whether to stream the answer: the run has followers, or was started by hand and gets them a moment later. Other
   * runs get the answer in one piece, which is less work.
   */
  areWanted({ doc }: Pick<Writer, "doc">): boolean {
    return doc.trigger?.type === "manual" || this.#watch.roundOf(doc.id) !== undefined;
  }

  /** Streams the answer of a call from now on. @returns the call's id, and a function that ends the stream */
  await(writer: Writer): { callId: string; end: () => void } {
    const callId = uuid();
    this.#answers.set(callId, new Answer(writer, this.#watch));
    return { callId, end: () => this.#answers.delete(callId) };
  }

  /** Sends the text so far to a follower that starts or continues. */
  followed(executionId: string): void {
    for (const answer of this.#answers.values()) if (answer.isOf(executionId)) answer.flush();
  }

  heard({ callId, at, words }: EventOf<"models.call.words">): void {
    this.#answers.get(callId)?.heard(at, words);
  }
}
