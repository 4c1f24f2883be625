import { needlesOf } from "../../core/memory/needle.ts";
import { WORDINGS } from "../../core/memory/normalise-wording.ts";
import { readFileSync } from "node:fs";
import { type Candidate, decide } from "../../core/memory/decide.ts";
import { extractFacts } from "../../core/memory/extract-facts.ts";
import type { Slots } from "../../core/memory/fact.ts";
import { isSought } from "../../services/memory/candidates.ts";
import { keysOf, soughtKeys } from "../../services/memory/statement.ts";

const now = new Date("2026-03-18T09:30:00.000Z");
const place = { userId: "u", scope: "user" } as const;
const read = (text: string) => extractFacts(text, { now })[0]!;

/** What the last fact of a text does to one that is stored, by the rules and by the keys that find it. */
function outcome(before: Candidate, text: string) {
  const fact = extractFacts(text, { now }).at(-1)!;
  const { kind } = decide(fact, [before]);
  const isFound = isSought(soughtKeys(place, fact), keysOf(place, before));
  return { kind, isFound };
}

describe("a change", () => {
  it.each([
    ["My friend Jonas lives in Graz.", "Jonas has moved to Linz."],
    ["Jonas lives in Graz.", "My friend Jonas has moved to Linz."],
    ["Kepler runs on port 9000.", "The Kepler server runs on port 9100 now."],
    ["The meeting is on Tuesday.", "My boss says the meeting is on Wednesday now."],
    ["Paul's manager is Ann.", "Paul told me that his manager is Ben now."],
    ["I'm preparing for the bar exam.", "I passed the bar exam."],
    ["I want to buy a house.", "I bought a house."],
    ["I'm going to Japan in April.", "My trip to Japan is cancelled."],
    ["I take the bus to work.", "I cycle to work now instead of taking the bus."],
    ["Our company has 40 employees.", "We have grown to 65 employees."],
    ["I'm the treasurer of the club.", "I stepped down as treasurer of the club."],
    ["My father is a nurse.", "My father has retired."],
    ["I drive a grey Polo.", "I traded my Polo in for a Leaf."],
    ["We track everything in Notion.", "We left Notion for Obsidian."],
    ["I'm seeing Nils.", "Nils and I are no longer together."],
    ["My bicycle is a Bianchi.", "Somebody stole my bicycle."],
    ["I have pilates on Mondays.", "Pilates is on Wednesdays now."],
    ["I share a house with two nurses.", "I live on my own now."],
    ["I'm a freelancer.", "I got a permanent job at Philips."],
    ["I don't eat meat.", "I've started eating chicken."],
    ["The fence is brown.", "The fence was painted green."],
    ["My desk is on the third floor.", "They put my desk on the fifth floor."],
    ["My rent is 900 euros.", "The rent went up to 1,050 euros."],
    ["We meet on Tuesdays.", "From now on we meet on Thursdays instead."],
    ["Answer me in English.", "Please answer in German from here on."],
  ])("of %j is detected in %j, and found by its keys", (before, text) => {
    expect(outcome({ ...read(before), id: "0" }, text)).toEqual({ kind: "supersede", isFound: true });
  });

  it.each([
    ["My friend Jonas lives in Graz.", "My colleague Jonas moved to Linz."],
    ["I take the bus to the gym.", "I switched to tea."],
    ["I have two cats.", "Our company has three cats now."],
    ["I'm looking for a flat.", "I found a mouse in the flat."],
    ["My manager is Helen.", "My wife said her manager is Robin now."],
    ["The office closes at six.", "I was told that the pool closes at five now."],
    ["I want to visit Japan.", "I read about Japan."],
    ["I have car insurance.", "I sold my car."],
    ["I have a Spotify subscription.", "I cancelled my climbing membership."],
    ["I own a car.", "I sold my scooter."],
    ["My son goes to Hillside School.", "My son went to Rome."],
    ["I'm allergic to aspirin.", "I stopped taking aspirin."],
    ["I drive a Golf.", "My brother traded his Golf in for a Tesla."],
    ["My rent is 900 euros.", "My parents' rent went up to 1,050 euros."],
    ["We meet on Tuesdays.", "The book club meets on Thursdays."],
  ])("of %j is not detected in %j", (before, text) => {
    expect(outcome({ ...read(before), id: "0" }, text).kind).toBe("add");
  });
});

it("keys find every change in everyday sentences that words alone do not show", () => {
  const lines = readFileSync("bench/quality/fixtures/everyday.jsonl", "utf8").trim().split("\n");
  const all = lines.map(line => JSON.parse(line) as { before: string; now: string });
  const seen = all.flatMap(({ before, now: text }) => {
    const stored = extractFacts(before, { now }).map((fact, at) => ({ ...fact, id: String(at) }));
    return extractFacts(text, { now }).flatMap(fact => {
      // What the words alone show needs no key: the latest memories are compared by their words.
      const byWords = (one: Candidate) => decide(fact, [], { nearby: [one] }).kind;
      const decisions = stored.map(one => ({ ...one, kind: decide(fact, [one]).kind }));
      const keys = soughtKeys(place, fact);
      return decisions.flatMap(one =>
        one.kind === "add"
          ? []
          : [{ before, text, isFound: byWords(one) === one.kind || isSought(keys, keysOf(place, one)) }],
      );
    });
  });
  expect(seen.length).toBeGreaterThan(100);
  expect(seen.filter(({ isFound }) => !isFound)).toEqual([]);
});

describe("a repetition in other words", () => {
  it.each([
    ["We have a black door.", "Our door is black."],
    ["I have choir on Mondays.", "I do choir every Monday."],
    ["I earn 36,000 pounds.", "My salary is £36,000."],
    ["My father bakes for a living.", "My dad is a baker."],
    ["The course lasts two weeks.", "The course lasts 14 days."],
  ])("%j is recognised as a repetition of %j", (text, before) => {
    expect(outcome({ ...read(before), id: "0" }, text)).toEqual({ kind: "same", isFound: true });
  });

  it.each([
    ["I helped Anna move house.", "Anna helped me move house."],
    ["I worked at Bosch.", "I work at Bosch."],
    ["She owns a boat in Kiel.", "I own a boat in Kiel."],
    ["Tom is taller than Ben.", "Ben is taller than Tom."],
  ])("%j is not confused with %j", (text, before) => {
    expect(outcome({ ...read(before), id: "0" }, text).kind).toBe("add");
  });
});

describe("a memory that the previous version read otherwise", () => {
  const old = (subject: string, relation: string, value: string): Slots => {
    return { subject, relation, value, negated: false, qualifiers: [], single: false };
  };

  it.each([
    ["The user's client Acme Ltd pays by cheque", old("user/client acm ltd", "do pai", "by chequ")],
    ["The Kepler server runs on port 9000", old("kepler server", "do run port", "9000")],
    ["The user got promoted to analyst", old("user", "do got", "promot to analyst")],
    ["The user goes jogging", old("user", "do goe", "jog")],
    ["Lucia has learned English", old("lucia", "do learn", "english")],
  ])("is recognised again: %j", (content, slots) => {
    const before = { id: "0", content: "In other words", slots };
    expect(outcome(before, content)).toEqual({ kind: "same", isFound: true });
  });

  it("is superseded by the name of the thing", () => {
    const slots = { ...old("user/friend jona", "live in", "graz"), single: true };
    const before = { id: "0", content: "The user's friend Jonas lives in Graz", slots };
    expect(outcome(before, "My friend Jonas has moved to Linz.")).toEqual({ kind: "supersede", isFound: true });
  });
});

describe("a change that only the words show", () => {
  const byWords = (before: string, text: string) => {
    const stored: Candidate[] = extractFacts(before, { now }).map((fact, at) => ({ ...fact, id: String(at) }));
    return decide(extractFacts(text, { now }).at(-1)!, [], { nearby: stored }).kind;
  };

  it.each([
    ["I rent a studio in Ghent.", "The studio is gone."],
    ["We deploy with Jenkins.", "Jenkins has been shut down."],
    ["My exam is on Wednesday.", "They brought the exam forward to Tuesday."],
    ["Nordbau orders about 200 units a month.", "Nordbau doubled its orders to 400 units a month."],
    ["Ravi leads the mobile team.", "Joanna leads the mobile team now."],
    ["Our billing contact is Ms Farrow.", "Ms Farrow left the company."],
    ["My best time for calls is the morning.", "My best time for calls is the afternoon now."],
  ])("of %j is detected in %j by words", (before, text) => {
    expect(byWords(before, text)).toBe("supersede");
  });

  it.each([
    ["Our server is in Oslo.", "The backup server was moved to Bergen."],
    ["Ticket 4411 is open.", "Ticket 4412 has been resolved."],
    ["I have car insurance.", "I sold my car."],
    ["My boss is Helena.", "Helena's boss is Kurt."],
    ["Berlin office has 25 desks.", "Our new Hamburg office has 12 desks."],
    ["Tom lives in Brno.", "I bought a house in Nîmes."],
    ["I joined Acme.", "I joined Strava."],
  ])("of %j is not detected in %j by words", (before, text) => {
    expect(byWords(before, text)).toBe("add");
  });

  it("is searched for in hostile texts in bounded time", () => {
    for (const words of ["now in ", "no longer the ", "has been to Rome ", "instead of the user's ", "from 1 to 2 "]) {
      const content = `The user ${words.repeat(400)}`.slice(0, 400);
      const nearby = Array.from({ length: 100 }, (_, at) => ({
        id: String(at),
        content: `${at} ${content}`.slice(0, 400),
      }));
      // A pattern that takes quadratic time or more would not get here within the time limit of a test.
      expect(decide({ content, slots: null, eventDate: null }, [], { nearby }).kind).toMatch(
        /^(?:add|same|supersede)$/,
      );
    }
  });
});

describe("the texts without which a pattern cannot match", () => {
  it.each([
    [/^(.+?) (?:is|are) run by (\w+)$/, [" run by "]],
    [/\b(?:cancel|quit(?: smoking)?) it\b/, ["cancel", "quit"]],
    [/^no(?:pe)? longer?$/, [" longe"]],
    [/^(?!not)[abc]{2} Old|new/i, [" old", "new"]],
    [/\p{Lu}x{0,2}a?/u, []],
  ])("of %s are %j", (pattern, needles) => {
    expect(needlesOf(pattern)).toEqual(needles);
  });

  it("are in each statement that a rewrite matches", () => {
    const rewrites = WORDINGS.flatMap(wordings => wordings());
    for (const statement of ["The user no longer works at Acme", "The user's car is an Audi", "Tom hails from Oslo"])
      for (const [pattern] of rewrites)
        if (statement.search(pattern) >= 0)
          expect(needlesOf(pattern).some(needle => statement.toLowerCase().includes(needle))).toBe(true);
  });
});
