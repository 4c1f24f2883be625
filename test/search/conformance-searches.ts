import fc from "fast-check";
import { scoreOf } from "../../core/search/score.ts";
import type { PayloadFilter } from "../../core/search/payload.ts";
import { idsOf, vector, type Bench } from "./bench.ts";

export function describeSearches(bench: () => Bench): void {
  describe("a search", () => {
    test("in hybrid mode finds by words or vectors, with the cosine of each hit that has a vector, ordered by score", async () => {
      const { index } = bench();
      await index.put([
        { id: "near", text: "tea", vector: vector(1, 0, 0) },
        { id: "both", text: "coffee", vector: vector(0.6, 0.8, 0) },
        { id: "far", text: "coffee", vector: vector(-0.6, 0, 0.8) },
        { id: "words", text: "coffee" },
        { id: "against", text: "tea", vector: vector(-1, 0, 0) },
      ]);
      const { hits } = await index.search({ text: "Coffee?", vector: vector(2, 0, 0), limit: 10 });
      expect(
        hits.map(hit => [hit.id, hit.keyword, hit.cosine === null ? null : Number(hit.cosine.toFixed(5))]),
      ).toEqual([
        ["near", false, 1],
        ["both", true, 0.6],
        ["words", true, null],
        ["far", true, -0.6],
        ["against", false, -1],
      ]);
      expect(scoreOf(hits[1] as (typeof hits)[1])).toBeCloseTo(0.8, 5);
      expect(idsOf(await index.search({ text: "coffee", vector: vector(1, 0, 0), limit: 2 }))).toEqual([
        "near",
        "both",
      ]);
    });

    test("in semantic mode leaves out entries without a vector, in keyword mode entries without a matching word", async () => {
      const { index } = bench();
      await index.put([
        { id: "a", text: "tea", vector: vector(1, 0, 0) },
        { id: "b", text: "coffee", vector: vector(0, 1, 0) },
        { id: "c", text: "coffee and coffee" },
      ]);
      const query = { text: "coffee", vector: vector(1, 0, 0), limit: 10 };
      expect(idsOf(await index.search({ ...query, mode: "vector" }))).toEqual(["a", "b"]);
      const words = await index.search({ ...query, mode: "keyword" });
      expect(idsOf(words).sort()).toEqual(["b", "c"]);
      expect(words.hits.find(({ id }) => id === "b")?.cosine).toBeCloseTo(0, 5);
      const byWeight = words.hits.map(({ bm25 }) => bm25);
      expect(byWeight).toEqual(byWeight.toSorted((a, b) => b - a));
    });

    test("weighs rare words more than frequent ones", async () => {
      const { index } = bench();
      const texts = ["apple pie", "apple cake", "apple juice", "apple saffron", "saffron rice"];
      await index.put(texts.map((text, n) => ({ id: `${n}`, text })));
      const { hits } = await index.search({ text: "apple saffron", limit: 10, mode: "keyword" });
      expect(hits.slice(0, 2).map(({ id }) => id)).toEqual(["3", "4"]);
    });

    test.each([
      ["in another form", "She was preferring dark chocolates", "prefers chocolate"],
      ["without diacritics", "Müller wohnt in Zürich", "muller zurich"],
      ["in another case", "ÉCOLE NORMALE", "école"],
      ["in scripts without spaces", "東京都に住んでいます", "東京"],
      ["in Cyrillic", "Любит чёрный чай", "ЧЕРНЫЙ ЧАЙ"],
      ["next to signs", "e-mail: jane.doe@example.org (work)", "doe example"],
    ])("finds words %s", async (_, text, question) => {
      const { index } = bench();
      await index.put([
        { id: "a", text },
        { id: "b", text: "nothing of it" },
      ]);
      expect(idsOf(await index.search({ text: question, limit: 10 }))).toEqual(["a"]);
    });

    test("ignores stop words, unless the query has no other words", async () => {
      const { index } = bench();
      await index.put([
        { id: "a", text: "the cat is on the mat" },
        { id: "b", text: "what the dog has" },
        { id: "c", text: "to be or not to be" },
      ]);
      expect(idsOf(await index.search({ text: "what is the parrot", limit: 10 }))).toEqual([]);
      expect(idsOf(await index.search({ text: "where is the cat", limit: 10 }))).toEqual(["a"]);
      expect(idsOf(await index.search({ text: "to be or not to be", limit: 10 }))).toEqual(["c"]);
    });

    test("needs half of the words of a long question", async () => {
      const { index } = bench();
      await index.put([
        { id: "a", text: "quarterly revenue report" },
        { id: "b", text: "annual report" },
      ]);
      expect(idsOf(await index.search({ text: "quarterly revenue report", limit: 10 }))).toEqual(["a"]);
      expect(idsOf(await index.search({ text: "sales report", limit: 10 })).sort()).toEqual(["a", "b"]);
    });

    test("treats any query text as plain words", async () => {
      const { index } = bench();
      await index.put([{ id: "a", text: "tea" }]);
      const hostile = [
        `"`,
        `tea" OR "`,
        "tea*",
        "NEAR(tea)",
        "words : tea",
        "-tea",
        "(",
        "AND OR NOT",
        "^tea",
        "'; DROP",
        "\u0000tea",
      ];
      for (const text of hostile) await index.search({ text, limit: 5 });
      const signs = fc.constantFrom(
        ...`"'*()^:;-+{}[]\\%_,. `,
        "\u0000",
        "\ud800",
        "é",
        "語",
        "OR",
        "AND",
        "NEAR",
        "tea",
        "x",
      );
      await fc.assert(
        fc.asyncProperty(fc.array(signs, { maxLength: 12 }), async parts => {
          const { hits } = await index.search({ text: parts.join(""), limit: 5 });
          expect(hits.length).toBeLessThanOrEqual(1);
        }),
        { numRuns: 40 },
      );
      expect(idsOf(await index.search({ text: `tea" OR "`, limit: 5 }))).toEqual(["a"]);
    });

    test.each<[string, PayloadFilter, string]>([
      ["a text", { scope: "user" }, "a b"],
      ["several keys", { scope: "user", n: 2 }, "b"],
      ["a number, which is not text", { n: 1 }, "a"],
      ["a text, which is not a number", { n: "1" }, "c"],
      ["a boolean", { superseded: false }, "a"],
      ["an item of a list", { tags: "y" }, "a b"],
      ["a key with dots", { "metadata.lang": "de" }, "c"],
      ["any of several", { n: { $in: [1, 2] } }, "a b"],
      ["all but one, those without included", { scope: { $ne: "user" } }, "c d"],
      ["none of several", { tags: { $nin: ["x", "z"] } }, "b d"],
      ["both kinds of several", { scope: { $in: ["user", "thread"], $ne: "thread" } }, "a b"],
      ["nothing", {}, "a b c d"],
      ["any of none", { scope: { $in: [] } }, ""],
      ["what no entry has", { other: 1 }, ""],
      ["a key of every object", { constructor: "x" }, ""],
    ])("filters by %s", async (_, filter, expected) => {
      const { index } = bench();
      const of = (id: string, payload = {}) => ({ id, text: "tea", payload, vector: vector(1, 0, 0) });
      await index.put([
        of("a", { scope: "user", n: 1, superseded: false, tags: ["x", "y"] }),
        of("b", { scope: "user", n: 2, superseded: true, tags: ["y"] }),
        of("c", { scope: "thread", n: "1", tags: ["z"], "metadata.lang": "de" }),
        of("d"),
      ]);
      for (const query of [{ text: "tea" }, { vector: vector(1, 0, 0) }, { text: "tea", vector: vector(0, 1, 0) }])
        expect(
          idsOf(await index.search({ ...query, filter, limit: 10 }))
            .sort()
            .join(" "),
        ).toBe(expected);
    });

    test.each([
      ["nothing to look for", { limit: 10 }],
      ["no limit", { text: "tea", limit: 0 }],
      ["too high a limit", { text: "tea", limit: 1001 }],
      ["an unknown operator", { text: "tea", limit: 10, filter: { n: { $gt: 1 } as never } }],
      ["a filter with depth", { text: "tea", limit: 10, filter: { n: { $in: [{}] } as never } }],
      ["a vector of another dimension", { vector: vector(1), limit: 10 }],
      ["an unknown mode", { text: "tea", limit: 10, mode: "magic" as never }],
    ])("with %s is refused", async (_, query) => {
      await expect(bench().index.search(query)).rejects.toMatchObject({ code: "invalid_search" });
    });

    test("with an empty text finds the hits of the vector", async () => {
      const { index } = bench();
      await index.put([{ id: "a", text: "tea", vector: vector(1, 0, 0) }]);
      expect(idsOf(await index.search({ text: "?!", vector: vector(1, 0, 0), limit: 5 }))).toEqual(["a"]);
      expect(idsOf(await index.search({ text: "?!", limit: 5 }))).toEqual([]);
    });
  });
}
