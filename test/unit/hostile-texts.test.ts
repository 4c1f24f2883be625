import { inSlices, mapInSlices, TimeSlices } from "../../adapters/time-slices.ts";
import { hashEmbedding } from "../../core/embedding/hash-embedding.ts";
import { chunksOf, cutAt } from "../../core/knowledge/chunks.ts";
import { isSupposed } from "../../core/memory/chatter.ts";
import { decide, decisionSteps } from "../../core/memory/decide.ts";
import { extractFacts } from "../../core/memory/extract-facts.ts";
import { contentWords } from "../../core/memory/gist.ts";
import { withoutInjected } from "../../core/memory/injected.ts";
import { keyOf } from "../../core/memory/normalise.ts";
import { sentencesOf } from "../../core/memory/sentences.ts";
import { warmUpRules } from "../../core/memory/warm-up.ts";
import { inNormalForm } from "../../core/normal-form.ts";
import { nameMatcher } from "../../core/search/name-matcher.ts";
import { tokenise } from "../../core/search/tokenise.ts";
import { factsIn } from "../../services/memory/read-text.ts";
import { secondsOf, SOON_S } from "../support/processor-time.ts";
import { hurrying, turnsDuring } from "../support/turns.ts";

const now = new Date("2026-03-18T09:30:00.000Z");
/** Longer than a text may be: what takes quadratic time does not end within the time limit of a test. */
const repeated = (part: string, length = 1_000_000) => part.repeat(Math.ceil(length / part.length));
const other = (at: number) => `Q${at.toString(26).replace(/\d/g, digit => "qwertyuiop".charAt(Number(digit)))}`;
const MANY = Array.from({ length: 400 }, (_, at) => `My friend ${other(at)} lives in ${other(at + 9)}.`).join(" ");

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

describe("a long text is compared in linear time", () => {
  /** Marks that must change their places, in the order that takes longest. */
  const marks = `a${repeated("\u0315", 50_000)}${repeated("\u0300", 50_000)}`;
  const others = `a${repeated("\u1dce", 50_000)}${repeated("\u1dc0", 50_000)}`;
  const narrow = `a${repeated("\uff9e", 50_000)}${repeated("\u0334", 50_000)}`;

  it.each([
    ["the key of marks inside a word", () => keyOf(`a${repeated(".")}a`)],
    ["the key of one word", () => keyOf(repeated("'s"))],
    ["the words of a figure", () => contentWords(repeated("1", 100_000))],
    ["the words of a figure with dots", () => contentWords(repeated("1.", 100_000))],
    ["the words of dots", () => contentWords(repeated(".", 100_000))],
    ["the key of accents", () => keyOf(marks)],
    ["the keywords of accents", () => tokenise(marks)],
    ["the keywords of other marks", () => tokenise(others)],
    ["the keywords of narrow marks", () => tokenise(narrow)],
    ["a name of accents", () => nameMatcher(marks)({ title: others, subtitle: narrow })],
    ["the vectors of accents", () => Array.from({ length: 20 }, () => hashEmbedding(marks.slice(40_000, 60_000)))],
  ])("%s", (_, work) => expect(secondsOf(work)).toBeLessThan(SOON_S));

  it("a supposition", () => {
    expect(secondsOf(() => isSupposed(`If ${repeated("was ", 4_000)}`))).toBeLessThan(SOON_S);
  });
});

it("a text is divided at every kind of space", () => {
  const isDividedAt = (char: string) => cutAt(`${"x".repeat(70)}${char}${"x".repeat(70)}`, 0, 100) === 70;
  const units = Array.from({ length: 0xd800 }, (_, unit) => String.fromCharCode(unit)).concat("\ufeff");
  const divided = units.filter(isDividedAt);
  expect(divided).toEqual(units.filter(char => /\s/.test(char)));
});

it("a text with many marks keeps its meaning in a normal form", () => {
  const few = `e${"\u0315\u0300".repeat(15)}!`;
  for (const form of ["NFC", "NFKC", "NFKD"] as const) expect(inNormalForm(few, form)).toBe(few.normalize(form));
  const many = `Cafe${"\u0301".repeat(100)} \uff76\uff9e Stra\u00dfe`;
  expect(tokenise(many)).toEqual(tokenise(`Cafe\u0301 \uff76\uff9e Stra\u00dfe`));
  expect([...inNormalForm(many, "NFKD").replaceAll("\u034f", "")]).toEqual([...many.normalize("NFKD")]);
});

it("qualifiers without spaces are compared in linear time", () => {
  // A pattern that may divide them in any way would not end for days.
  const days = repeated("sun", 120);
  const [before] = extractFacts(`I drink tea on ${days} flights`, { now });
  const [fact] = extractFacts(`I drink tea now on ${days}x flights`, { now });
  const held = { id: "a", content: before!.content, slots: before!.slots, eventDate: null };
  expect(decide(fact!, [held])).toEqual({ kind: "add" });
});

it("a decision yields after each comparison with a memory", async () => {
  const facts = extractFacts(MANY, { now });
  const memories = facts.map(({ content, slots, eventDate }, at) => ({ id: String(at), content, slots, eventDate }));
  const [fact] = extractFacts("My friend Ada lives in Turin.", { now });
  const nearby = memories.splice(200);
  const deciding = inSlices(decisionSteps(fact!, memories, { nearby }), new TimeSlices(hurrying()));
  expect(await turnsDuring(deciding)).toBeGreaterThanOrEqual(2 * memories.length + nearby.length);
  expect(await deciding).toEqual(decide(fact!, memories, { nearby }));
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
