import { setImmediate as nextTurn } from "node:timers/promises";
import { chunksOf } from "../../core/knowledge/chunks.ts";
import { decide } from "../../core/memory/decide.ts";
import { extractFacts } from "../../core/memory/extract-facts.ts";
import { withoutInjected } from "../../core/memory/injected.ts";
import { sentencesOf } from "../../core/memory/sentences.ts";
import { warmUpRules } from "../../core/memory/warm-up.ts";
import { factsIn, mapInSlices, TimeSlices } from "../../services/memory/read-text.ts";

const now = new Date("2026-03-18T09:30:00.000Z");
/** Longer than a text may be: what takes quadratic time does not end within the time limit of a test. */
const repeated = (part: string, length = 1_000_000) => part.repeat(Math.ceil(length / part.length));
const other = (at: number) => `Q${at.toString(26).replace(/\d/g, digit => "qwertyuiop".charAt(Number(digit)))}`;
const MANY = Array.from({ length: 400 }, (_, at) => `My friend ${other(at)} lives in ${other(at + 9)}.`).join(" ");

/** Counts the turns that other work gets until `work` has ended. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  while (!isOver) {
    await nextTurn();
    turns++;
  }
  await over;
  return turns;
}
/** A clock by which every piece of work takes longer than a turn. */
const hurrying = () => {
  let time = 0;
  return () => (time += 11);
};

describe("a text of any length and kind is divided in linear time", () => {
  it.each(["A. ", "mr. ", "....", "user:\n", "\n", "- \n", '."', "a? "])("into sentences: %j", part => {
    const lengths = [...sentencesOf(`${repeated(part)}x`)].map(({ text }) => text.length);
    expect(lengths.reduce((most, one) => Math.max(most, one))).toBeLessThanOrEqual(1_000);
  });

  it.each(["<weft-memory ", "<weft-memory>", "</weft-memory", "<weft-memory></weft-memory "])(
    "into the user's own words and others: %j",
    part => {
      const text = repeated(part);
      expect(withoutInjected(text)).toHaveLength(text.length);
    },
  );

  it("into passages", () => {
    const text = repeated("a. ", 25_000_000);
    expect(chunksOf(text).at(-1)?.end).toBe(text.length);
  });
});

it("the extraction of facts yields after each clause of a text and each compiled rule", async () => {
  const clauses = extractFacts(MANY, { now }).length;
  expect(clauses).toBe(400);
  const reading = factsIn(MANY, now, new TimeSlices(hurrying()));
  expect(await turnsDuring(reading)).toBeGreaterThanOrEqual(clauses);
  expect([...warmUpRules(true)].length).toBeGreaterThan(200);
});

it("the extraction of facts yields after each item of a list", async () => {
  const made = mapInSlices([1, 2, 3], one => one * 2, new TimeSlices(hurrying()));
  expect(await turnsDuring(made)).toBeGreaterThanOrEqual(3);
  expect(await made).toEqual([2, 4, 6]);
});

it("a decision reads the words of a memory once for any number of comparisons", () => {
  const facts = extractFacts(MANY, { now });
  let reads = 0;
  const candidates = facts.map(({ content, slots, eventDate }, at) => ({
    id: String(at),
    slots,
    eventDate,
    get content() {
      reads++;
      return content;
    },
  }));
  for (const fact of facts) decide(fact, candidates);
  expect(reads).toBeLessThanOrEqual(facts.length);
});
