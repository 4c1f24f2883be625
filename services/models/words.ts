/** The least time between two events with text of one answer. */
const EVERY_MS = 100;
/** The rest of a longer answer is sent only with its end. */
const MAX_CHARS = 100_000;

/** Gathers the text of an answer, and sends it a few times per second. */
export class Words {
  readonly #tell: (at: number, words: string) => void;
  #at = 0;
  #gathered = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (at: number, words: string) => void) {
    this.#tell = tell;
  }

  /** `at` is the place of the words in the answer. It begins at 0 again where the model is asked again. */
  add(at: number, words: string): void {
    if (at + words.length > MAX_CHARS) return;
    if (at !== this.#at + this.#gathered.length) {
      this.#flush();
      this.#at = at;
    }
    this.#gathered += words;
    this.#timer ??= setTimeout(() => this.#flush(), EVERY_MS).unref();
  }

  /** Tells what is gathered. */
  end(): void {
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const words = this.#gathered;
    this.#gathered = "";
    if (words !== "") this.#tell(this.#at, words);
    this.#at += words.length;
  }
}
