import { isRecord } from "../../data/json.ts";
import { hasExpression } from "../../editor/tokens.ts";
import type { Preview, Previews } from "../../forms/step/context.ts";
import { pointerPart } from "../../forms/values.ts";

/** The most texts that the service evaluates in one call. */
const MAX_TEXTS = 200;
/** The service is called when the user has not typed for this long. */
const PAUSE_MS = 150;

/** The texts in a value that contain expressions, by JSON Pointer. */
export function expressionsIn(value: unknown): Record<string, string> {
  const found: Record<string, string> = {};
  let count = 0;
  const look = (at: unknown, pointer: string) => {
    if (count >= MAX_TEXTS) return;
    if (hasExpression(at)) {
      found[pointer] = at;
      count++;
    } else if (Array.isArray(at)) at.forEach((one, n) => look(one, pointer + pointerPart(n)));
    else if (isRecord(at)) for (const [name, one] of Object.entries(at)) look(one, pointer + pointerPart(name));
  };
  look(value, "");
  return found;
}

type Ask = (texts: Record<string, string>, signal: AbortSignal) => Promise<readonly (Preview & { pointer: string })[]>;

/**
 * The values of a step's expressions, which the service evaluates after a pause. Each field subscribes to its own
 * value.
 */
export class PreviewStore implements Previews {
  readonly #ask: Ask;
  readonly #listeners = new Set<() => void>();
  #known: ReadonlyMap<string, Preview> = new Map();
  #texts: Record<string, string> = {};
  #asked = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop: AbortController | undefined;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly at = (pointer: string): Preview | undefined => this.#known.get(pointer);

  /** Sets the current data of the step. */
  show(data: unknown): void {
    this.#texts = expressionsIn(data);
    const key = JSON.stringify(this.#texts);
    if (key === this.#asked) return;
    this.#asked = key;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#read(), PAUSE_MS);
  }

  async #read(): Promise<void> {
    this.#stop?.abort();
    const stop = (this.#stop = new AbortController());
    const texts = this.#texts;
    try {
      const previews = Object.keys(texts).length === 0 ? [] : await this.#ask(texts, stop.signal);
      if (stop.signal.aborted) return;
      this.#known = new Map(previews.map(({ pointer, ...preview }) => [pointer, this.#same(pointer, preview)]));
    } catch {
      if (stop.signal.aborted) return;
      // The form works without previews, and the next key press tries again.
      this.#known = new Map();
      this.#asked = "";
    }
    for (const listener of this.#listeners) listener();
  }

  /** Returns the known preview if it is equal, so that its field is not drawn again. */
  #same(pointer: string, preview: Preview): Preview {
    const known = this.#known.get(pointer);
    return known && JSON.stringify(known) === JSON.stringify(preview) ? known : preview;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stop?.abort();
    this.#asked = "";
  }
}
