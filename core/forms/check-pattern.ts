/** A Unicode property, such as `\p{L}`, or another escape. */
const ESCAPES = /\\(?:[pP]\{[^{}]*\}|[^])/g;
/** Stands for any property while the rest of a pattern is read: it may stand in the same places. */
const ANY_CLASS = "\\d";

/** The properties that exist. Node knows a few thousand names. */
const known = new Set<string>();

/**
 * Checks the syntax of a pattern with the flag `u`.
 *
 * Node looks up all characters of a property wherever a pattern names it, in up to half a millisecond each. So each
 * property is looked up once, and a short class stands for it when the pattern is read.
 * @throws {SyntaxError} when the pattern is not valid
 */
export function checkPattern(source: string): void {
  const short = source.replace(ESCAPES, escape => {
    if (!/^\\p\{/i.test(escape)) return escape;
    if (!known.has(escape)) new RegExp(escape, "u");
    known.add(escape);
    return ANY_CLASS;
  });
  try {
    new RegExp(short, "u");
  } catch (error) {
    // The message quotes the pattern.
    throw new SyntaxError(
      (error as Error).message.replace(short, () => source),
      { cause: error },
    );
  }
}
