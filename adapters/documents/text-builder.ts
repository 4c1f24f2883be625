import { DocumentError, MAX_TEXT_CHARS } from "./messages.ts";

/** Puts text together from pieces, with no more blanks and empty lines than it needs, and not without an end. */
export class TextBuilder {
  #text: string[] = [];
  #length = 0;
  /** Line breaks, and whether a space, before the next piece. */
  #breaks = 0;
  #space = false;

  /** As it stands: what is between `pre` and its end. */
  verbatim(text: string): void {
    this.#flush();
    this.#push(text);
  }

  /** Runs of white space count as one space. */
  words(text: string): void {
    const words = text.replace(/\s+/g, " ");
    const trimmed = words.trim();
    if (words.startsWith(" ")) this.#space = true;
    if (trimmed === "") return;
    this.#flush();
    this.#push(trimmed);
    this.#space = words.endsWith(" ");
  }

  /** 1 begins a new line, 2 leaves one empty. */
  breakLines(count: 1 | 2): void {
    this.#breaks = Math.max(this.#breaks, count);
    this.#space = false;
  }

  toString(): string {
    return this.#text.join("").trim();
  }

  #flush(): void {
    if (this.#length > 0) this.#push("\n".repeat(this.#breaks) || (this.#space ? " " : ""));
    this.#breaks = 0;
    this.#space = false;
  }

  #push(text: string): void {
    this.#length += text.length;
    if (this.#length > MAX_TEXT_CHARS)
      throw new DocumentError("file_too_large", `The file has more than ${MAX_TEXT_CHARS} characters of text.`);
    this.#text.push(text);
  }
}
