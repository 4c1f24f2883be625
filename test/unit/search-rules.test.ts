import fc from "fast-check";
import {
  clausesOf,
  matchesClauses,
  payloadFault,
  tagOf,
  tagsOf,
  type Payload,
  type PayloadFilter,
} from "../../core/search/payload.ts";
import { bestResults, scoreOf, type Scored, type SearchMode } from "../../core/search/score.ts";
import { Top } from "../../core/search/top.ts";

const hit = fc.record<Scored>({
  id: fc.string({ minLength: 1, maxLength: 2 }),
  cosine: fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { nil: null }),
  keyword: fc.boolean(),
  bm25: fc.double({ min: 0, max: 9, noNaN: true }),
});

describe("the score", () => {
  test("is the cosine, and 0.2 if the keywords match", () => {
    expect(scoreOf({ cosine: 0.5, keyword: true })).toBe(0.7);
    expect(scoreOf({ cosine: 0.5, keyword: false })).toBe(0.5);
    expect(scoreOf({ cosine: null, keyword: true })).toBe(0.2);
  });

  test("sorts the results of a mode: each once, at most the requested number, in a stable order", () => {
    const mode = fc.constantFrom<SearchMode>("hybrid", "vector", "keyword");
    const hits = fc.uniqueArray(hit, { selector: ({ id }) => id });
    fc.assert(
      fc.property(mode, hits, fc.integer({ min: 1, max: 5 }), (chosen, found, limit) => {
        const ordered = bestResults(chosen, found, limit);
        expect(ordered.length).toBeLessThanOrEqual(limit);
        expect(bestResults(chosen, [...found, ...found].reverse(), limit)).toEqual(ordered);
        for (const one of ordered)
          expect(
            chosen === "keyword"
              ? one.keyword
              : chosen === "vector"
                ? one.cosine !== null
                : one.keyword || one.cosine !== null,
          ).toBe(true);
        if (chosen !== "hybrid") return;
        const scores = ordered.map(scoreOf);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        const left = found.filter(one => !ordered.includes(one) && (one.keyword || one.cosine !== null));
        expect(Math.max(-2, ...left.map(scoreOf))).toBeLessThanOrEqual(Math.min(2, ...scores));
      }),
    );
  });
});

test("keeps the largest of many in any order", () => {
  fc.assert(
    fc.property(fc.array(fc.float({ noNaN: true })), fc.nat({ max: 12 }), (values, size) => {
      const top = new Top(size);
      values.forEach((value, place) => top.offer(value, place));
      const kept = top.places().map(place => values[place] as number);
      const byValue = (a: number, b: number) => a - b;
      expect(kept.sort(byValue)).toEqual(values.toSorted(byValue).slice(Math.max(0, values.length - size)));
    }),
  );
});

describe("a payload", () => {
  const scalar = fc.oneof(fc.string({ maxLength: 3 }), fc.integer({ min: 0, max: 3 }), fc.boolean());
  const key = fc.constantFrom("a", "b", "c.d");
  const payload = fc.dictionary(key, fc.oneof(scalar, fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 })));
  const operators = fc.record(
    { $in: fc.array(scalar, { maxLength: 3 }), $ne: scalar, $nin: fc.array(scalar, { maxLength: 3 }) },
    { requiredKeys: [] },
  );
  const filter = fc.dictionary(key, fc.oneof(scalar, operators));

  test("contains its tags, by which indexes filter as the rule says", () => {
    fc.assert(
      fc.property(payload, filter, (held, asked) => {
        expect(payloadFault(held)).toBeNull();
        const clauses = clausesOf(asked);
        if (typeof clauses === "string") throw new Error(clauses);
        const tags = new Set(tagsOf(held));
        const byTags = clauses.every(
          ({ key: of, not, values }) => values.some(value => tags.has(tagOf(of, value))) !== not,
        );
        expect(matchesClauses(held as Payload, clauses)).toBe(byTags);
      }),
    );
  });

  test.each([
    [null],
    [[1]],
    [{ "": 1 }],
    [{ a: null }],
    [{ a: Number.NaN }],
    [{ a: [1] }],
    [{ a: {} }],
    [{ a: "x".repeat(1025) }],
    [{ a: "\ud800" }],
    [Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${n}`, n]))],
  ])("is rejected: %j", value => {
    expect(payloadFault(value)).toEqual(expect.any(String));
  });

  test.each([[{ a: { $gt: 1 } }], [{ a: { $in: 1 } }], [{ a: { $ne: [1] } }], [{ "": 1 }], [{ a: null }]])(
    "rejects the filter %j",
    asked => {
      expect(clausesOf(asked as unknown as PayloadFilter)).toEqual(expect.any(String));
    },
  );
});
