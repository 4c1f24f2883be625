/** A token of JSONata, read just well enough to know what is inside a literal and what is a bracket. */
export interface Token {
  /** The opening character for literals (`"`, `'`, backtick, `/`), the text for everything else. */
  text: string;
  end: number;
  /** Whether a value ends here, so that a following `/` divides instead of opening a regular expression. */
  operand: boolean;
}

const WORD = /[^\s.[\](){},;:?+\-*/%|=<>!&~@#^"'`]+/y;
const SPACE = /(?:\s|\/\*[^]*?\*\/)+/y;
const STRING = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|`[^`]*`/y;

const matchAt = (pattern: RegExp, source: string, at: number) => {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
};

/** The end of a regular expression, as JSONata finds it: an unescaped slash outside brackets. */
function endOfRegex(source: string, at: number): number | undefined {
  let depth = 0;
  for (let i = at + 1; i < source.length; i++) {
    const char = source[i] ?? "";
    if (char === "\\") i++;
    else if (char === "/" && depth === 0) return i + 1;
    else if ("([{".includes(char)) depth++;
    else if (")]}".includes(char)) depth--;
  }
  return undefined;
}

/**
 * The token at or after `at`. `afterOperand` is the `operand` of the previous token (false at the start). Undefined at
 * the end of the source, and for a literal or a comment that never ends.
 */
export function nextToken(source: string, at: number, afterOperand: boolean): Token | undefined {
  const start = at + (matchAt(SPACE, source, at)?.length ?? 0);
  const char = source[start];
  // `SPACE` includes comments that end, so a comment that begins here never ends.
  if (char === undefined || source.startsWith("/*", start)) return undefined;
  if (char === '"' || char === "'" || char === "`") {
    const literal = matchAt(STRING, source, start);
    return literal === undefined ? undefined : { text: char, end: start + literal.length, operand: true };
  }
  if (char === "/" && !afterOperand) {
    const end = endOfRegex(source, start);
    return end === undefined ? undefined : { text: char, end, operand: true };
  }
  const word = matchAt(WORD, source, start);
  if (word !== undefined) {
    const operator = afterOperand && (word === "and" || word === "or" || word === "in");
    return { text: word, end: start + word.length, operand: !operator };
  }
  const pair = source.slice(start, start + 2);
  const text = pair === "??" || pair === "?:" || pair === "**" ? pair : char;
  // Where a value is expected, `*`, `**` and `%` are values: all fields, all descendants, and the parent.
  const operand = ")]}".includes(char) || text === "**" || ((char === "*" || char === "%") && !afterOperand);
  return { text, end: start + text.length, operand };
}
