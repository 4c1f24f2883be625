import { type Candidate, decide } from "../../core/memory/decide.ts";
import { extractFacts } from "../../core/memory/extract-facts.ts";
import { comparisonText, extractedFacts, extractionPrompt, resolvedFacts } from "../../core/memory/model-prompts.ts";
import { z } from "zod";

const now = new Date("2026-03-18T09:30:00.000Z");
const read = (text: string) => extractFacts(text, { now })[0]!;

function decision(before: string[], text: string, more: Partial<Candidate> = {}) {
  const candidates = before.map((content, at) => ({ id: String(at), content: read(content).content, ...more }));
  return decide(read(text), candidates);
}

describe("a new fact", () => {
  it.each([
    ["I live in Paris.", "I moved to Berlin."],
    ["I like tea.", "I no longer like tea."],
    ["I hate tea.", "I like tea."],
    ["My brother works at Ikea.", "My brother quit Ikea."],
    ["I use Vim.", "I switched from Vim to Helix."],
    ["The meeting is on Monday.", "The meeting is on Tuesday."],
    ["Please stop using emojis.", "You can use emojis again."],
    ["I have two cats.", "I have three cats."],
    ["I own a boat.", "I sold my boat."],
    ["I own a boat.", "I sold the boat."],
    ["I live in Town1.", "I live in Town2."],
  ])("supersedes %j when it is %j", (before, after) => {
    expect(decision([before], after)).toEqual({ kind: "supersede", ids: ["0"] });
  });

  it.each([
    ["My mother lives in Lyon.", "My brother lives in Oslo."],
    ["I like tea.", "I like coffee."],
    ["My work email is a@b.example.", "My private email is c@d.example."],
    ["I wake up at 6 on weekdays.", "I wake up at 9 on weekends."],
    ["I live in Paris.", "I want to live in Berlin."],
    ["I live in Paris.", "We moved to GitHub Actions."],
    ["I live in Paris.", "We moved from Jira to Linear."],
    ["My manager is nice.", "My manager is tall."],
    ["I take 5 mg of aspirin.", "I take 10 mg of ibuprofen."],
    ["Meine Schwester heißt Anna.", "Meine Schwester heißt Berta."],
    ["I live in Paris.", "I don't live in Berlin."],
    ["I ran a marathon on 2024-05-01.", "I ran a marathon on 2025-05-01."],
    ["Ich wohne in Paris.", "Ich wohne in Berlin."],
    ["I'm Ada.", "I'm German."],
    ["I joined Acme.", "I joined Strava."],
    ["My flight is on Monday.", "My flight is on Friday."],
    ["The price is 10 euros.", "The price is 20 euros for members."],
    ["I live in London and Paris.", "I live in London."],
  ])("is kept beside %j if it is %j", (before, after) => {
    expect(decision([before], after)).toEqual({ kind: "add" });
  });

  it("is not new if it repeats another in other words", () => {
    expect(decision(["I like jam.", "I live in Paris."], "I'm based in Paris!")).toEqual({ kind: "same", id: "1" });
    expect(decision(["Ich wohne in Paris."], "Ich wohne in Paris")).toEqual({ kind: "same", id: "0" });
  });

  it("supersedes everything that it contradicts, and nothing else", () => {
    const before = ["I live in Paris.", "I live in Rome.", "I work at Acme.", "My mother lives in Paris."];
    expect(decision(before, "I moved to Berlin.")).toEqual({ kind: "supersede", ids: ["0", "1"] });
    expect(decision([], "I moved to Berlin.")).toEqual({ kind: "add" });
  });

  it.each([
    ["I painted a lighthouse.", "I own a lighthouse."],
    ["I like cats.", "I have cats."],
    ["I live in Paris.", "I love Paris."],
    ["I walk dogs.", "I have a dog."],
    ["I met Ada in Rome.", "I called Ada in Rome."],
    ["We sell Slack integrations.", "We use Slack."],
    ["My sister studies asthma.", "My sister has asthma."],
    ["Maria sells tea.", "Maria prefers tea."],
    ["I own Dune.", "I am reading Dune."],
    ["I write novels.", "I read novels."],
    ["I built a boat.", "I sold a boat."],
    ["I rent a boat.", "I sold a boat."],
  ])("is kept beside another one that differs from it by its verb: %s", (one, other) => {
    expect(decision([one], other)).toEqual({ kind: "add" });
    expect(decision([other], one)).toEqual({ kind: "add" });
  });

  it("becomes history if it happened long before the other was stated", () => {
    const more = { createdAt: "2026-03-01T00:00:00.000Z" };
    expect(decision(["I live in Paris."], "I moved to Berlin in 2015.", more)).toEqual({ kind: "add" });
    expect(decision(["I live in Paris."], "I moved to Berlin last month.", more).kind).toBe("supersede");
  });

  it("is compared by stored slots, if there are any", () => {
    const { slots } = read("I live in Paris.");
    const candidate = { id: "0", content: "Somewhere in France", slots };
    expect(decide(read("I moved to Berlin."), [candidate])).toEqual({ kind: "supersede", ids: ["0"] });
    expect(decide(read("I moved to Berlin."), [{ ...candidate, slots: null }])).toEqual({ kind: "add" });
  });
});

describe("the prompts for models", () => {
  it("contain valid JSON Schemas", () => {
    expect(extractionPrompt(now, "Ada")).toContain("Today is 2026-03-18");
    for (const schema of [extractedFacts, resolvedFacts])
      expect(z.toJSONSchema(schema)).toMatchObject({ type: "object" });
    expect(JSON.parse(comparisonText([{ content: "a", candidates: [{ id: "1", content: "b" }] }]))).toHaveLength(1);
  });
});
