import { type Options, Parser } from "acorn";
import { Untranslatable } from "../untranslatable.ts";

/** The parser compares each declared name with all others of its scope. */
const MAX_NAMES = 2_000;
const OPTIONS: Options = {
  ecmaVersion: 2023,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
};

type Declare = (this: Parser, ...declared: unknown[]) => void;

/** A parser that refuses code with very many names, because its time grows with the square of their number. */
class BoundedParser extends Parser {
  #names = 0;

  declareName(...declared: unknown[]): void {
    if (++this.#names > MAX_NAMES) throw new Untranslatable(`code that declares more than ${MAX_NAMES} names`);
    (Parser.prototype as unknown as { declareName: Declare }).declareName.apply(this, declared);
  }
}

/**
 * Reads code, and reports its comments and tokens.
 * @throws {Untranslatable} when the code has a syntax error, or too many names
 */
export function readCode(code: string, { onComment, onToken }: Pick<Options, "onComment" | "onToken">): void {
  try {
    BoundedParser.parse(code, { ...OPTIONS, onComment, onToken });
  } catch (error) {
    throw error instanceof Untranslatable ? error : new Untranslatable("code with a syntax error");
  }
}
