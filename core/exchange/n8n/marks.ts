/**
 * Finds a mark at or after a position, or gives -1. It remembers that no mark follows, so that a text in which nothing
 * closes its many openings is read once.
 */
export function markFinder(text: string, mark: string): (from: number) => number {
  let isOver = false;
  return from => {
    const at = isOver ? -1 : text.indexOf(mark, from);
    isOver = at < 0;
    return at;
  };
}

/** A part in double braces. `inside` is the text between the braces. */
export interface Braces {
  start: number;
  end: number;
  inside: string;
}

/** The parts of a text in double braces, in order. With `quoted`, quotes around the braces belong to the part. */
export function* bracesIn(text: string, quoted = false): Generator<Braces, void, undefined> {
  const [closing, closingQuoted] = [markFinder(text, "}}"), markFinder(text, "}}'")];
  let last = 0;
  for (let at = text.indexOf("{{"); at >= 0; at = text.indexOf("{{", last)) {
    const inQuotes = quoted && at > last && text[at - 1] === "'" ? closingQuoted(at + 2) : -1;
    const close = inQuotes >= 0 ? inQuotes : closing(at + 2);
    if (close < 0) return;
    const isQuoted = inQuotes >= 0;
    last = close + (isQuoted ? 3 : 2);
    yield { start: isQuoted ? at - 1 : at, end: last, inside: text.slice(at + 2, close) };
  }
}

/** The values of a comma-separated list. A comma inside double braces does not end a value. */
export function* listedIn(text: string): Generator<string, void, undefined> {
  const closing = markFinder(text, "}}");
  for (let at = 0; at < text.length;) {
    const close = text.startsWith("{{", at) ? closing(at + 2) : -1;
    const comma = close < 0 ? text.indexOf(",", at) : -1;
    const end = close >= 0 ? close + 2 : comma < 0 ? text.length : comma;
    if (end > at) yield text.slice(at, end);
    at = end > at ? end : at + 1;
  }
}
