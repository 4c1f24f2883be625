/** The minimum time between two events with text of one response. */
const EVERY_MS = 100;
/** In a longer response, the rest is sent only at the end. */
const MAX_CHARS = 100_000;

/** Collects the text of a response, and sends it a few times per second. */
export class TextBatcher {
  readonly #send: (at: number, words: string) => void;
  #at = 0;
  #gathered = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (at: number, words: string) => void) {
    this.#send = send;
  }

  /** `at` is the position of the text in the response. It starts at 0 again if the model is asked again. */
  add(at: number, words: string): void {
    if (at + words.length > MAX_CHARS) return;
    if (at !== this.#at + this.#gathered.length) {
      this.#flush();
      this.#at = at;
    }
    this.#gathered += words;
    this.#timer ??= setTimeout(() => this.#flush(), EVERY_MS).unref();
  }

  /** Sends the collected text. */
  end(): void {
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const words = this.#gathered;
    this.#gathered = "";
    if (words !== "") this.#send(this.#at, words);
    this.#at += words.length;
  }
}
