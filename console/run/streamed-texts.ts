import { useState, useSyncExternalStore } from "react";
import type { StepWords } from "../../sdk/definition.ts";
import { appendStreamed, type StreamedText } from "../data/streamed-text.ts";
import { stepKey } from "./step-state.ts";

/** The most steps whose text is stored. A map may call a model for each of its items. */
const MAX_STEPS = 200;

/**
 * The text that the models of a run are writing, by step, until the output is stored. Changes render only the component
 * of their step.
 */
export class StreamedTexts {
  readonly #byStep = new Map<string, StreamedText>();
  readonly #listeners = new Set<() => void>();

  readonly hear = (words: StepWords): void => {
    const key = stepKey(words.nodeId, words.path);
    const next = appendStreamed(this.#byStep.get(key), words);
    if (!next) return;
    this.#byStep.delete(key);
    this.#byStep.set(key, next);
    const [oldest] = this.#byStep.keys();
    if (this.#byStep.size > MAX_STEPS && oldest !== undefined) this.#byStep.delete(oldest);
    for (const listener of this.#listeners) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  of(key: string): StreamedText | undefined {
    return this.#byStep.get(key);
  }
}

export const useStreamedTexts = (): StreamedTexts => useState(() => new StreamedTexts())[0];

/** The text that the model of one step has written so far. */
export const useStreamedTextOf = (words: StreamedTexts, key: string): StreamedText | undefined =>
  useSyncExternalStore(words.subscribe, () => words.of(key));
