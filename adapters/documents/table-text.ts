import { DocumentError, MAX_TEXT_CHARS } from "./messages.ts";

const MAX_COLUMNS = 1_000;

/** @throws {DocumentError} when there are too many columns */
export function ensureColumns(names: readonly unknown[]): void {
  if (names.length > MAX_COLUMNS)
    throw new DocumentError("file_too_complex", `The file has more than ${MAX_COLUMNS} columns.`);
}

/**
 * The text of a table whose first row has the names of the columns. Each row becomes a paragraph with each value after
 * the name of its column, so that a passage of the text explains its own values.
 */
export class TableText {
  readonly #names: readonly string[];
  readonly #paragraphs: string[] = [];
  #chars = 0;

  /** @throws {DocumentError} when there are too many columns */
  constructor(names: readonly string[]) {
    ensureColumns(names);
    this.#names = names;
  }

  /** @throws {DocumentError} when the table has too many columns or too much text */
  add(values: readonly string[]): void {
    ensureColumns(values);
    const lines = values.flatMap((value, at) =>
      value === "" ? [] : [this.#names[at] ? `${this.#names[at]}: ${value}` : value],
    );
    const paragraph = lines.join("\n");
    if (paragraph === "") return;
    this.#chars += paragraph.length + 2;
    if (this.#chars > MAX_TEXT_CHARS)
      throw new DocumentError("file_too_large", `The file has more than ${MAX_TEXT_CHARS} characters.`);
    this.#paragraphs.push(paragraph);
  }

  toString(): string {
    return this.#paragraphs.join("\n\n") || this.#names.filter(name => name !== "").join(", ");
  }
}
