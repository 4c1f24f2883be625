import fc from "fast-check";
import { bm25Among } from "../../core/search/bm25.ts";
import { keywordsMatch, keywordsOf, MAX_KEYWORDS, requiredMatches } from "../../core/search/keywords.ts";
import { sparseOfKeywords, sparseOfText } from "../../core/search/sparse-vector.ts";
import { tokenise } from "../../core/search/tokenise.ts";

describe("words of a text", () => {
  test.each([
    ["Running RUNS run", ["run", "run", "run"]],
    ["preferred prefers preferring", ["prefer", "prefer", "prefer"]],
    ["lives living live", ["liv", "liv", "liv"]],
    ["cities city boxes box classes class", ["city", "city", "box", "box", "class", "class"]],
    ["status this bus", ["status", "this", "bus"]],
    ["Straße STRASSE", ["strass", "strass"]],
    ["naïve Ångström", ["naiv", "angstrom"]],
    ["東京都", ["東京", "京都"]],
    ["茶 tea茶", ["茶", "tea", "茶"]],
    ["v2.5 e-mail a_b", ["v2", "5", "e", "mail", "a", "b"]],
    ["हिन्दी", ["हिन्दी"]],
    ["한국어", ["한국어"]],
    ["ﬁle ①", ["fil", "1"]],
    ["?! …", []],
  ])("%s", (text, words) => {
    expect(tokenise(text)).toEqual(words);
  });

  test("are only letters and digits, of limited length, and the same when they are read again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), text => {
        for (const word of tokenise(text)) {
          expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
          expect(word.length).toBeLessThanOrEqual(64);
        }
        expect(tokenise(text.toUpperCase().toLowerCase())).toEqual(tokenise(text.toLowerCase()));
      }),
    );
    expect(tokenise("x".repeat(500))[0]).toHaveLength(64);
    expect(tokenise("a b ".repeat(100_000)).length).toBeLessThanOrEqual(50_000);
  });
});

describe("keywords of a question", () => {
  test("are its significant words, each once, or all words without a significant one", () => {
    expect(keywordsOf("What is the colour of the colours?")).toEqual(["colour"]);
    expect(keywordsOf("Was ist die Farbe?")).toEqual(["farb"]);
    expect(keywordsOf("to be or not to be")).toEqual(["to", "be", "or", "not"]);
    expect(keywordsOf(Array.from({ length: 50 }, (_, n) => `w${n}`).join(" "))).toHaveLength(MAX_KEYWORDS);
    expect(keywordsOf("")).toEqual([]);
  });

  test("match a text that contains half of them", () => {
    expect([1, 2, 3, 4, 5].map(requiredMatches)).toEqual([1, 1, 2, 2, 3]);
    expect(keywordsMatch(["a", "b", "c"], ["a", "x"])).toBe(false);
    expect(keywordsMatch(["a", "b", "c"], ["c", "a", "x"])).toBe(true);
    expect(keywordsMatch([], ["a"])).toBe(false);
  });
});

describe("the weight of keywords", () => {
  test("grows with rarity and frequency, and shrinks with the length of the text", () => {
    const texts = [["rare", "x"], ["often", "x"], ["often", "often"], ["often", ..."abcdefgh"], ["none"]];
    const [rare = 0, once = 0, twice = 0, long = 0, none = 1] = bm25Among(["rare", "often"], texts);
    expect(rare).toBeGreaterThan(once);
    expect(twice).toBeGreaterThan(once);
    expect(once).toBeGreaterThan(long);
    expect(none).toBe(0);
  });

  test("has one dimension for each word as a vector, ascending, and overlaps only in common words", () => {
    const product = (text: string, question: string) => {
      const [a, b] = [sparseOfText(tokenise(text)), sparseOfKeywords(keywordsOf(question))];
      const at = new Map(a.indices.map((index, place) => [index, a.values[place] ?? 0]));
      return b.indices.reduce((sum, index, place) => sum + (at.get(index) ?? 0) * (b.values[place] ?? 0), 0);
    };
    expect(product("green tea", "tea")).toBeGreaterThan(0);
    expect(product("green tea", "coffee")).toBe(0);
    expect(product("tea tea", "tea")).toBeGreaterThan(product("tea time", "tea"));
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 })), words => {
        const { indices, values } = sparseOfText(words);
        expect(indices).toEqual([...new Set(indices)].sort((a, b) => a - b));
        expect(values.every(value => value > 0)).toBe(true);
      }),
    );
  });
});
