import { conflictQuality, extractionQuality, HALVES } from "../../bench/quality/memory-quality.ts";
import { sequenceQuality } from "../../bench/quality/sequence-quality.ts";
import {
  exactToolSearch,
  fixtureTools,
  toolQuestions,
  toolSearchQuality,
} from "../../bench/quality/tool-search-quality.ts";
import { splitName } from "../../core/mcp/tool-text.ts";
import { exactSearches, measure, passages, questions } from "../../bench/quality/retrieval-quality.ts";

/** Reached on sentences that were written before the rules were looked at. */
const CHANGES_HELD_OUT = 0.94;
const REPETITIONS_HELD_OUT = 0.97;

describe.each(HALVES)("the rules of memory, on the half of the fixtures that was %s,", half => {
  it("find most facts, and few false ones", () => {
    const { precision, recall, types, dates, remembered, lines } = extractionQuality(half);
    expect(lines).toBeGreaterThanOrEqual(75);
    expect(precision).toBeGreaterThanOrEqual(0.9);
    expect(recall).toBeGreaterThanOrEqual(0.9);
    expect(types).toBeGreaterThanOrEqual(0.9);
    expect(dates).toBeGreaterThanOrEqual(0.85);
    expect(remembered).toBe(0);
  });

  it("supersede outdated facts, and nothing that only looks outdated", () => {
    const { precision, recall, duplicates, wrong, merged, lines } = conflictQuality(half);
    expect(lines).toBeGreaterThanOrEqual(110);
    expect(precision).toBeGreaterThanOrEqual(0.9);
    expect(recall).toBeGreaterThanOrEqual(0.8);
    expect(duplicates).toBeGreaterThanOrEqual(0.8);
    expect({ wrong, merged }).toEqual({ wrong: 0, merged: 0 });
  });

  it("detect changes and repetitions in new sentences, and store nothing without a fact", () => {
    const { changes, repetitions, facts, wrong, merged, junk, lines } = sequenceQuality(half);
    expect(lines).toBeGreaterThanOrEqual(150);
    expect(changes).toBeGreaterThanOrEqual(half === "tuned" ? 0.98 : CHANGES_HELD_OUT);
    expect(repetitions).toBeGreaterThanOrEqual(half === "tuned" ? 0.98 : REPETITIONS_HELD_OUT);
    expect(facts).toBe(1);
    expect({ wrong, merged, junk }).toEqual({ wrong: 0, merged: 0, junk: 0 });
  });
});

it("detects the changes of the memory rules' examples, and no look-alike", () => {
  const { changes, wrong, merged, lines } = sequenceQuality("changes");
  expect(lines).toBeGreaterThanOrEqual(90);
  expect(changes).toBeGreaterThanOrEqual(0.95);
  expect({ wrong, merged }).toEqual({ wrong: 0, merged: 0 });
});

it.each([
  { set: "registers", changes: 0.94, repetitions: 0.95, kept: 0 },
  { set: "everyday", changes: 0.91, repetitions: 0.95, kept: 0 },
  { set: "themes", changes: 0.87, repetitions: 0.88, kept: 1 },
  { set: "unseen", changes: 0.93, repetitions: 0.96, kept: 0 },
  { set: "later", changes: 0.91, repetitions: 0.95, kept: 0 },
  { set: "fresh", changes: 0.69, repetitions: 0.85, kept: 0 },
  { set: "private", changes: 0.39, repetitions: 0.49, kept: 0 },
  { set: "work", changes: 0.41, repetitions: 0.59, kept: 7 },
] as const)("the rules of memory see most changes and repetitions of $set, and no wrong one", levels => {
  const { set, changes, repetitions, kept } = levels;
  const found = sequenceQuality(set);
  expect(found.lines).toBeGreaterThanOrEqual(120);
  expect(found.changes).toBeGreaterThanOrEqual(changes);
  expect(found.repetitions).toBeGreaterThanOrEqual(repetitions);
  expect(found.junk).toBeLessThanOrEqual(kept);
  expect({ wrong: found.wrong, merged: found.merged }).toEqual({ wrong: 0, merged: 0 });
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

describe("the search for tools with the built-in embedder", () => {
  it("is measured on enough questions that do not repeat the names of tools", () => {
    const tools = fixtureTools();
    const ids = new Set(tools.map(({ id }) => id));
    expect(ids.size).toBe(tools.length);
    expect(tools.length).toBeGreaterThanOrEqual(500);
    expect(new Set(tools.map(({ server }) => server)).size).toBeGreaterThanOrEqual(40);
    const questions = toolQuestions();
    expect(questions.length).toBeGreaterThanOrEqual(150);
    expect(questions.flatMap(({ relevant }) => relevant).filter(id => !ids.has(id))).toEqual([]);
    const nameOf = (id: string) => splitName(tools.find(tool => tool.id === id)!.name).toLowerCase();
    const copies = questions.filter(({ query, relevant }) =>
      relevant.some(id => nameOf(id).includes(" ") && query.toLowerCase().includes(nameOf(id))),
    );
    expect(copies).toEqual([]);
  });

  it("nearly always finds the wanted tool among the first five", async () => {
    const { recall, ndcg } = await toolSearchQuality(exactToolSearch());
    expect(recall).toBeGreaterThanOrEqual(0.85);
    expect(ndcg).toBeGreaterThanOrEqual(0.8);
  });
});
