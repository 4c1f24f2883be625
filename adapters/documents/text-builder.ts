import { DocumentError, MAX_TEXT_CHARS } from "./messages.ts";

/** Joins pieces of text, collapses redundant blanks and empty lines, and limits the length. */
export class TextBuilder {
  #text: string[] = [];
  #length = 0;
  /** The line breaks before the next piece, and whether it needs a space. */
  #breaks = 0;
  #space = false;

  /** Adds text unchanged: the content of a `pre` element. */
  verbatim(text: string): void {
    this.#flush();
    this.#push(text);
  }

  /** Adds text. Each run of white space becomes one space. */
  words(text: string): void {
    const words = text.replace(/\s+/g, " ");
    const trimmed = words.trim();
    if (words.startsWith(" ")) this.#space = true;
    if (trimmed === "") return;
    this.#flush();
    this.#push(trimmed);
    this.#space = words.endsWith(" ");
  }

  /** Breaks the line. 1 starts a new line, 2 leaves an empty line between. */
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
