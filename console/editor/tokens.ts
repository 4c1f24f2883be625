/** The languages of the console's fields. `template` is text with `{{ expressions }}`. */
export type Language = "template" | "expression" | "json" | "javascript" | "text";

/** The kind of a piece of text, which decides its colour. Null for plain text. */
export type Kind = "brace" | "name" | "function" | "string" | "number" | "keyword" | "operator" | "comment" | null;

/** The state that continues from one line to the next. */
export interface LexState {
  /** Whether the line is inside the braces of a template. */
  inside: boolean;
  /** The number of open braces inside of an expression. */
  depth: number;
  /** The quote that is open at the end of the line, or `*` for a comment. */
  open: string;
  /** Whether a value ended here. Then a `/` divides; otherwise it opens a regular expression. */
  operand: boolean;
}

export const startState = (): LexState => ({ inside: false, depth: 0, open: "", operand: false });

const SPACE = /\s+/y;
const WORD = /[^\s.[\](){},;:?+\-*/%|=<>!&~@#^"'`$]+/y;
const VARIABLE = /\$\$?[^\s.[\](){},;:?+\-*/%|=<>!&~@#^"'`$]*/y;
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const OPERATOR = /:=|~>|!=|<=|>=|\.\.|\*\*|\?\?|\?:|=>|===?|!==|&&|\|\||[^\s]/y;
const WORDS: Record<"expression" | "javascript" | "json", ReadonlySet<string>> = {
  expression: new Set("and or in true false null function".split(" ")),
  javascript: new Set(
    (
      "await async break case catch class const continue default delete do else export false finally for function if in " +
      "instanceof let new null of return static super switch this throw true try typeof undefined var void while yield"
    ).split(" "),
  ),
  json: new Set("true false null".split(" ")),
};

const matchAt = (pattern: RegExp, line: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0].length ?? 0;
};

/** The end of a string or comment that is open: after its end, or the end of the line. */
function endOfOpen(line: string, from: number, state: LexState): number {
  const { open } = state;
  const close = open === "*" ? "*/" : open;
  for (let at = from; at < line.length; at++) {
    if (line[at] === "\\" && (open === '"' || open === "'")) at++;
    else if (line.startsWith(close, at)) {
      state.open = "";
      state.operand = open !== "*" || state.operand;
      return at + close.length;
    }
  }
  return line.length;
}

const kindOfOpen = (open: string, language: Language): Kind =>
  open === "*" ? "comment" : open === "`" && language !== "javascript" ? "name" : "string";

/** The end of a regular expression: an unescaped slash outside of brackets. Undefined if the line has none. */
function endOfPattern(line: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from + 1; at < line.length; at++) {
    const char = line[at]!;
    if (char === "\\") at++;
    else if (char === "/" && depth === 0) return at + 1;
    else if ("([{".includes(char)) depth++;
    else if (")]}".includes(char)) depth--;
  }
  return undefined;
}

export interface Piece {
  to: number;
  kind: Kind;
}

function codePiece(line: string, at: number, state: LexState, language: Exclude<Language, "text">): Piece {
  const words = WORDS[language === "template" ? "expression" : language];
  if (state.open !== "") {
    const { open } = state;
    return { to: endOfOpen(line, at, state), kind: kindOfOpen(open, language) };
  }
  const space = matchAt(SPACE, line, at);
  if (space > 0) return { to: at + space, kind: null };
  const char = line[at]!;
  if (line.startsWith("/*", at) && language !== "json") {
    state.open = "*";
    return { to: endOfOpen(line, at + 2, state), kind: "comment" };
  }
  if (line.startsWith("//", at) && language === "javascript") return { to: line.length, kind: "comment" };
  if (char === '"' || char === "'" || char === "`") {
    state.open = char;
    return { to: endOfOpen(line, at + 1, state), kind: kindOfOpen(char, language) };
  }
  const pattern = char === "/" && !state.operand && language !== "json" ? endOfPattern(line, at) : undefined;
  if (pattern !== undefined) {
    state.operand = true;
    return { to: pattern, kind: "string" };
  }
  const number = matchAt(NUMBER, line, at);
  if (number > 0) {
    state.operand = true;
    return { to: at + number, kind: "number" };
  }
  const variable = matchAt(VARIABLE, line, at);
  if (variable > 0 && language !== "javascript") {
    state.operand = true;
    return { to: at + variable, kind: "function" };
  }
  const word = matchAt(WORD, line, at);
  if (word > 0) {
    const isKeyword = words.has(line.slice(at, at + word)) && line[at - 1] !== ".";
    state.operand = !isKeyword;
    return { to: at + word, kind: isKeyword ? "keyword" : "name" };
  }
  if (char === "{") state.depth++;
  if (char === "}" && state.depth > 0) state.depth--;
  const length = ")]}{([".includes(char) ? 1 : Math.max(1, matchAt(OPERATOR, line, at));
  state.operand = ")]}".includes(char);
  return { to: at + length, kind: "operator" };
}

/** The piece of a line that starts at `at`, which must be within the line. It changes `state`. */
export function nextPiece(line: string, at: number, state: LexState, language: Language): Piece {
  if (language === "text") return { to: line.length, kind: null };
  if (language !== "template") return codePiece(line, at, state, language);
  if (!state.inside) {
    if (!line.startsWith("{{", at)) {
      const open = line.indexOf("{{", at);
      return { to: open < 0 ? line.length : open, kind: null };
    }
    Object.assign(state, { ...startState(), inside: true });
    return { to: at + 2, kind: "brace" };
  }
  if (state.open === "" && state.depth === 0 && line.startsWith("}}", at)) {
    Object.assign(state, startState());
    return { to: at + 2, kind: "brace" };
  }
  return codePiece(line, at, state, language);
}

export interface Token {
  from: number;
  to: number;
  kind: Kind;
  text: string;
}

/**
 * All pieces of a text, without line breaks. With `until` it stops there; an unfinished literal is then the last token.
 */
export function tokensOf(text: string, language: Language, until = text.length): { tokens: Token[]; state: LexState } {
  const state = startState();
  const tokens: Token[] = [];
  let start = 0;
  for (const line of text.slice(0, until).split("\n")) {
    for (let at = 0; at < line.length;) {
      const { to, kind } = nextPiece(line, at, state, language);
      tokens.push({ from: start + at, to: start + to, kind, text: line.slice(at, to) });
      at = to;
    }
    start += line.length + 1;
  }
  return { tokens, state };
}

/** Whether a value is a text with an expression. */
export const hasExpression = (value: unknown): value is string => typeof value === "string" && value.includes("{{");
