import { v7 as uuid } from "uuid";
import type { StepWords } from "../../../contracts/entities/execution.ts";
import type { EventOf } from "../../../contracts/events.ts";
import type { ExecutionDoc } from "../store/model.ts";
import type { Secrets } from "./steps/secrets.ts";
import type { Watch } from "./watch.ts";

/** Where words belong. */
export interface Writer {
  doc: Pick<ExecutionDoc, "id"> & { trigger?: Pick<ExecutionDoc["trigger"], "type"> };
  place: Pick<StepWords, "nodeId" | "path" | "turn">;
  secrets: Pick<Secrets, "mask" | "longest">;
}

/** How much longer a secret can be in another spelling, such as one of a URL. */
const SPELLING = 3;

/** The words of one answer, as far as they may be told. */
class Answer {
  readonly #writer: Writer;
  readonly #watch: Watch;
  #text = "";
  #told = 0;
  #round = -1;

  constructor(writer: Writer, watch: Watch) {
    this.#writer = writer;
    this.#watch = watch;
  }

  heard(at: number, words: string): void {
    // Hints can be lost. What follows a gap would stand in the wrong place.
    if (at > this.#text.length) return;
    this.#text = this.#text.slice(0, at) + words;
    if (at === 0) this.#told = 0;
    this.tell();
  }

  isOf(executionId: string): boolean {
    return this.#writer.doc.id === executionId;
  }

  /** Tells those who follow the run what they do not have yet. */
  tell(): void {
    const { doc, place, secrets } = this.#writer;
    const round = this.#watch.roundOf(doc.id);
    if (round === undefined) return;
    // A new follower has none of the words yet.
    if (round !== this.#round) this.#told = 0;
    this.#round = round;
    const masked = secrets.mask(this.#text);
    // The end may be the beginning of a secret.
    const upTo = secrets.longest === 0 ? masked.length : masked.length - secrets.longest * SPELLING;
    if (upTo <= this.#told) return;
    this.#watch.tellWords(doc.id, { ...place, at: this.#told, text: masked.slice(this.#told, upTo) });
    this.#told = upTo;
  }
}

/** The answers of language models that steps on this node wait for, for those who follow the runs. */
export class ModelWords {
  readonly #watch: Watch;
  readonly #answers = new Map<string, Answer>();

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  /**
   * Whether somebody may read along: who starts a run by hand follows it a moment later. Other runs are answered in one
   * piece, which is less work.
   */
  areWanted({ doc }: Pick<Writer, "doc">): boolean {
    return doc.trigger?.type === "manual" || this.#watch.roundOf(doc.id) !== undefined;
  }

  /** Waits for an answer whose words are passed on. @returns the id of the call, and what ends it */
  await(writer: Writer): { callId: string; end: () => void } {
    const callId = uuid();
    this.#answers.set(callId, new Answer(writer, this.#watch));
    return { callId, end: () => this.#answers.delete(callId) };
  }

  /** A follower of an execution begins, or goes on. */
  followed(executionId: string): void {
    for (const answer of this.#answers.values()) if (answer.isOf(executionId)) answer.tell();
  }

  heard({ callId, at, words }: EventOf<"models.call.words">): void {
    this.#answers.get(callId)?.heard(at, words);
  }
}
