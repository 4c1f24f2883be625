import type { OnProgress } from "../adapters/transfer/transfer.ts";

const REDRAW_MS = 200;
/** The most lines that each part prints if the output is not a terminal. */
const PARTS = 10;

/** A size in bytes, for people. */
export function sizeText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toPrecision(3)} ${units[power]}`;
}

/** Shows the progress of long work: in a terminal as one line that is updated, elsewhere as occasional new lines. */
export class Meter {
  readonly #stream: NodeJS.WriteStream;
  #what = "";
  #part = 0;
  #drawnAt = 0;
  /** True if the current line is finished. The next part then starts a new one. */
  #over = true;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  readonly step: OnProgress = (what, done, all, unit) => {
    const begins = what !== this.#what;
    if (begins) this.end();
    this.#what = what;
    const part = all === 0 ? PARTS : Math.floor((done / all) * PARTS);
    const [of, text] = unit === "bytes" ? [sizeText(all), sizeText(done)] : [all, done];
    const line = `${what}: ${text} of ${of}${unit === "bytes" ? "" : ` ${unit}`}`;
    const now = performance.now();
    if (this.#stream.isTTY) {
      if (!begins && (this.#over || (done < all && now - this.#drawnAt < REDRAW_MS))) return;
      this.#over = done >= all;
      this.#stream.write(`\r${line}\u001b[K${this.#over ? "\n" : ""}`);
    } else if (begins || part > this.#part) this.#stream.write(`${line}\n`);
    this.#part = part;
    this.#drawnAt = now;
  };

  end(): void {
    if (this.#stream.isTTY && !this.#over) this.#stream.write("\n");
    this.#over = true;
    this.#what = "";
    this.#part = 0;
  }
}
