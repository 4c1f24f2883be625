import { readFileSync } from "node:fs";
import { decide } from "../../core/memory/decide.ts";
import { extractFacts } from "../../core/memory/extract-facts.ts";
import { keysOf, replacedKey, type Said } from "../../services/memory/statement.ts";

const now = new Date("2026-01-15T10:00:00.000Z");
const place = { userId: "u", scope: "user" as const };

/** What all the texts say that the quality of conflicts is measured by. */
const facts = readFileSync("bench/quality/fixtures/conflicts.jsonl", "utf8")
  .split("\n")
  .flatMap(line =>
    [...line.matchAll(/"((?:[^"\\]|\\.){12,})"/g)].map(([, text = ""]) => JSON.parse(`"${text}"`) as string),
  )
  .flatMap(text => extractFacts(text, { now }))
  .filter((_, at) => at % 3 === 0);

const keys = (said: Said) => {
  const { contentKey, relationKey, valueKey } = keysOf(place, said);
  return { contentKey, relationKey, valueKey, replaced: replacedKey(place, said) };
};

it("lead to every memory that the rules decide about: no search has to find it", () => {
  const known = facts.map(({ content, slots, eventDate }, at) => ({
    candidate: { id: `${at}`, content, slots, eventDate },
    keys: keys({ content, slots, eventDate }),
  }));
  const decided = { same: 0, supersede: 0, add: 0 };
  for (const fact of facts) {
    const own = keys(fact);
    for (const { candidate, keys: other } of known) {
      const { kind } = decide(fact, [candidate]);
      decided[kind]++;
      if (kind === "add") continue;
      const shared =
        own.contentKey === other.contentKey ||
        (own.relationKey !== undefined && own.relationKey === other.relationKey) ||
        [own.valueKey, own.replaced].some(key => key !== undefined && key === other.valueKey);
      expect({ fact: fact.content, candidate: candidate.content, shared }).toMatchObject({ shared: true });
    }
  }
  expect(decided.same).toBeGreaterThanOrEqual(facts.length);
  expect(decided.supersede).toBeGreaterThan(50);
});
