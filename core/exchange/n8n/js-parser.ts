import { type Token, tokenize } from "./js-tokens.ts";
import { Untranslatable } from "./untranslatable.ts";

/** The part of the JavaScript expression syntax that this parser reads. */
export type Js =
  | { kind: "literal"; value: string | number | boolean | null }
  | { kind: "template"; parts: (string | Js)[] }
  | { kind: "name"; name: string }
  | { kind: "member"; object: Js; name: string | number }
  | { kind: "call"; callee: Js; args: Js[]; isNew: boolean }
  | { kind: "unary"; op: string; value: Js }
  | { kind: "binary"; op: string; left: Js; right: Js }
  | { kind: "ternary"; test: Js; then: Js; other: Js }
  | { kind: "array"; items: Js[] }
  | { kind: "object"; entries: [string, Js][] };

export const MAX_SOURCE = 10_000;
const MAX_DEPTH = 50;
/** The precedence of operators, as in ECMA-262. */
const PRECEDENCE: Record<string, number> = {
  "??": 1,
  "||": 2,
  "&&": 3,
  "==": 4,
  "!=": 4,
  "===": 4,
  "!==": 4,
  "<": 5,
  ">": 5,
  "<=": 5,
  ">=": 5,
  "+": 6,
  "-": 6,
  "*": 7,
  "/": 7,
  "%": 7,
};
const LITERALS: Record<string, boolean | null> = { true: true, false: false, null: null };
const KEYWORDS = new Set(
  "await async function class typeof instanceof in of delete void yield this super undefined let const var".split(" "),
);

class Parser {
  readonly #tokens: Token[];
  #at = 0;
  #depth: number;

  constructor(source: string, depth: number) {
    this.#tokens = tokenize(source);
    this.#depth = depth;
  }

  whole(): Js {
    const js = this.expression();
    if (this.#at < this.#tokens.length) throw new Untranslatable("more than one expression");
    return js;
  }

  expression(): Js {
    if (++this.#depth > MAX_DEPTH) throw new Untranslatable("an expression that is nested too deeply");
    const test = this.#binary(0);
    const js: Js = this.#takes("?") ? this.#ternary(test) : test;
    this.#depth--;
    return js;
  }

  #ternary(test: Js): Js {
    const then = this.expression();
    this.#expect(":");
    return { kind: "ternary", test, then, other: this.expression() };
  }

  #binary(least: number): Js {
    let left = this.#unary();
    for (;;) {
      const op = this.#mark();
      const binds = op === undefined ? undefined : PRECEDENCE[op];
      if (op === undefined || binds === undefined || binds <= least) return left;
      this.#at++;
      left = { kind: "binary", op, left, right: this.#binary(binds) };
    }
  }

  #unary(): Js {
    const op = this.#mark();
    if (op !== "!" && op !== "-") return this.#postfix(this.#primary());
    this.#at++;
    if (++this.#depth > MAX_DEPTH) throw new Untranslatable("an expression that is nested too deeply");
    const value = this.#unary();
    this.#depth--;
    return { kind: "unary", op, value };
  }

  #postfix(start: Js): Js {
    let js = start;
    for (;;) {
      if (this.#takes("?.")) {
        if (this.#mark() !== "[" && this.#mark() !== "(") js = { kind: "member", object: js, name: this.#name() };
      } else if (this.#takes(".")) js = { kind: "member", object: js, name: this.#name() };
      else if (this.#takes("[")) js = { kind: "member", object: js, name: this.#index() };
      else if (this.#takes("(")) js = { kind: "call", callee: js, args: this.#list(")"), isNew: false };
      else return js;
    }
  }

  #index(): string | number {
    const index = this.expression();
    this.#expect("]");
    if (index.kind === "literal" && (typeof index.value === "string" || typeof index.value === "number"))
      return index.value;
    throw new Untranslatable("a field whose name is computed");
  }

  #primary(): Js {
    const token = this.#tokens[this.#at++];
    if (token?.kind === "number" || token?.kind === "text") return { kind: "literal", value: token.value };
    if (token?.kind === "template") return this.#template(token.parts);
    if (token?.kind === "name") return this.#named(token.text);
    if (token?.text === "(") {
      const inner = this.expression();
      this.#expect(")");
      return inner;
    }
    if (token?.text === "[") return { kind: "array", items: this.#list("]") };
    if (token?.text === "{") return this.#object();
    throw new Untranslatable(token ? `\`${token.text}\` where a value is expected` : "an expression that ends early");
  }

  #named(name: string): Js {
    if (Object.hasOwn(LITERALS, name)) return { kind: "literal", value: LITERALS[name]! };
    if (name === "new") {
      const callee: Js = { kind: "name", name: this.#name() };
      this.#expect("(");
      return { kind: "call", callee, args: this.#list(")"), isNew: true };
    }
    if (KEYWORDS.has(name)) throw new Untranslatable(`\`${name}\``);
    return { kind: "name", name };
  }

  #template(parts: { text: string; source?: string }[]): Js {
    const read = parts.flatMap(({ text, source }) => [
      ...(text === "" ? [] : [text]),
      ...(source === undefined ? [] : [new Parser(source, this.#depth).whole()]),
    ]);
    return { kind: "template", parts: read };
  }

  #list(close: string): Js[] {
    const items: Js[] = [];
    while (!this.#takes(close)) {
      items.push(this.expression());
      if (this.#mark() !== close) this.#expect(",");
    }
    return items;
  }

  #object(): Js {
    const entries: [string, Js][] = [];
    while (!this.#takes("}")) {
      const token = this.#tokens[this.#at++];
      if (token?.kind !== "name" && token?.kind !== "text") throw new Untranslatable("a key that is computed");
      const key = "value" in token ? token.value : token.text;
      this.#expect(":");
      entries.push([key, this.expression()]);
      if (this.#mark() !== "}") this.#expect(",");
    }
    return { kind: "object", entries };
  }

  #mark(): string | undefined {
    const token = this.#tokens[this.#at];
    return token?.kind === "mark" ? token.text : undefined;
  }

  #takes(mark: string): boolean {
    if (this.#mark() !== mark) return false;
    this.#at++;
    return true;
  }

  #expect(mark: string): void {
    if (!this.#takes(mark)) throw new Untranslatable(`an expression in which \`${mark}\` is missing`);
  }

  #name(): string {
    const token = this.#tokens[this.#at++];
    if (token?.kind !== "name") throw new Untranslatable("a dot without a name behind it");
    return token.text;
  }
}

/**
 * Parses a JavaScript expression.
 * @throws {Untranslatable} when the syntax is outside of this subset
 */
export function parseJs(source: string): Js {
  if (source.length > MAX_SOURCE) throw new Untranslatable(`an expression of more than ${MAX_SOURCE} characters`);
  return new Parser(source, 0).whole();
}
