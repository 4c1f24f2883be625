import { conflictQuality, extractionQuality, HALVES } from "../../bench/quality/memory-quality.ts";
import { exactSearches, measure, passages, questions } from "../../bench/quality/retrieval-quality.ts";

describe.each(HALVES)("the rules of memory, on the half of the fixtures that was %s,", half => {
  it("find most facts, and little else", () => {
    const { precision, recall, types, dates, remembered, lines } = extractionQuality(half);
    expect(lines).toBeGreaterThanOrEqual(75);
    expect(precision).toBeGreaterThanOrEqual(0.9);
    expect(recall).toBeGreaterThanOrEqual(0.9);
    expect(types).toBeGreaterThanOrEqual(0.9);
    expect(dates).toBeGreaterThanOrEqual(0.85);
    expect(remembered).toBe(0);
  });

  it("supersede what is out of date, and nothing that only looks like it", () => {
    const { precision, recall, duplicates, wrong, merged, lines } = conflictQuality(half);
    expect(lines).toBeGreaterThanOrEqual(110);
    expect(precision).toBeGreaterThanOrEqual(0.9);
    expect(recall).toBeGreaterThanOrEqual(0.8);
    expect(duplicates).toBeGreaterThanOrEqual(0.8);
    expect({ wrong, merged }).toEqual({ wrong: 0, merged: 0 });
  });
});

describe("search with the built-in embedder", () => {
  it("finds more by words and vectors together than by either", async () => {
    expect(passages().length).toBeGreaterThanOrEqual(200);
    expect(questions().length).toBeGreaterThanOrEqual(100);
    const { keyword, vector, hybrid } = exactSearches();
    const [words, vectors, both] = await Promise.all([keyword, vector, hybrid].map(search => measure(search)));
    expect(both!.ndcg).toBeGreaterThanOrEqual(Math.max(words!.ndcg, vectors!.ndcg));
    expect(both!.recall).toBeGreaterThanOrEqual(Math.max(words!.recall, vectors!.recall));
    expect(vectors!.ndcg).toBeGreaterThan(0.8);
  });
});
