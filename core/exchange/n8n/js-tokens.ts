import { shown, Untranslatable } from "./untranslatable.ts";

export type Token =
  | { kind: "name"; text: string }
  | { kind: "mark"; text: string }
  | { kind: "number"; value: number }
  | { kind: "text"; value: string }
  /** The texts of a template, and the sources of the expressions between them. */
  | { kind: "template"; parts: { text: string; source?: string }[] };

const SPACE = /\s+/y;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const NUMBER = /(?:\d+(?:\.\d+)?)(?:[eE][+-]?\d+)?/y;
/** Longer operators come first. */
const MARK = /===|!==|\?\?|\?\.(?!\d)|&&|\|\||==|!=|<=|>=|[-+*/%<>!?:.,()[\]{}]/y;
const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "0": "\0" };

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

/** The character that an escape stands for, and where the escape ends. `at` is the place after the backslash. */
function readEscape(source: string, at: number): { text: string; end: number } {
  const unicode = /u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})/y;
  unicode.lastIndex = at;
  const found = unicode.exec(source);
  if (found) return { text: String.fromCharCode(parseInt(found[1] ?? found[2]!, 16)), end: unicode.lastIndex };
  const char = source[at];
  if (char === undefined || /[ux1-9\r\n]/.test(char)) throw new Untranslatable("an unknown escape sequence");
  return { text: ESCAPES[char] ?? char, end: at + 1 };
}

function readString(source: string, start: number): { token: Token; end: number } {
  const quote = source[start];
  let value = "";
  for (let at = start + 1; at < source.length;) {
    if (source[at] === quote) return { token: { kind: "text", value }, end: at + 1 };
    if (source[at] === "\\") {
      const { text, end } = readEscape(source, at + 1);
      value += text;
      at = end;
    } else value += source[at++];
  }
  throw new Untranslatable("a string without an end");
}

/** Where the brace that opened before `start` closes. Braces in texts are skipped. */
function closingBrace(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const char = source[at]!;
    if (char === '"' || char === "'") at = readString(source, at).end - 1;
    else if (char === "`") throw new Untranslatable("a template inside a template");
    else if (char === "{") depth++;
    else if (char === "}" && depth-- === 0) return at;
  }
  throw new Untranslatable("a template without an end");
}

function readTemplate(source: string, start: number): { token: Token; end: number } {
  const parts: { text: string; source?: string }[] = [];
  let text = "";
  for (let at = start + 1; at < source.length;) {
    if (source[at] === "`") return { token: { kind: "template", parts: [...parts, { text }] }, end: at + 1 };
    if (source[at] === "\\") {
      const escape = readEscape(source, at + 1);
      text += escape.text;
      at = escape.end;
    } else if (source.startsWith("${", at)) {
      const close = closingBrace(source, at + 2);
      parts.push({ text, source: source.slice(at + 2, close) });
      text = "";
      at = close + 1;
    } else text += source[at++];
  }
  throw new Untranslatable("a template without an end");
}

/**
 * The tokens of a JavaScript expression.
 * @throws {Untranslatable} when a character begins no token of this subset
 */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < source.length;) {
    const char = source[at]!;
    const space = matchAt(SPACE, source, at);
    const name = matchAt(NAME, source, at);
    const number = matchAt(NUMBER, source, at);
    const mark = matchAt(MARK, source, at);
    if (space) at += space.length;
    else if (char === '"' || char === "'" || char === "`") {
      const { token, end } = char === "`" ? readTemplate(source, at) : readString(source, at);
      tokens.push(token);
      at = end;
    } else if (name) {
      tokens.push({ kind: "name", text: name });
      at += name.length;
    } else if (number) {
      tokens.push({ kind: "number", value: Number(number) });
      at += number.length;
    } else if (mark) {
      tokens.push({ kind: "mark", text: mark });
      at += mark.length;
    } else throw new Untranslatable(`\`${shown(source.slice(at))}\``);
  }
  return tokens;
}
