import { once } from "../../once.ts";

/** One pattern that matches where one of several does, whatever the case of the letters. Compiled at its first use. */
export const anyOf = (patterns: readonly RegExp[]): (() => RegExp) =>
  once(() => new RegExp(patterns.map(({ source }) => `(?:${source})`).join("|"), "iu"));
