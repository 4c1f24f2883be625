import { readFileSync } from "node:fs";
import { decide } from "../../core/memory/decide.ts";
import { extractFacts } from "../../core/memory/extract-facts.ts";
import { isSought } from "../../services/memory/candidates.ts";
import { keysOf, soughtKeys } from "../../services/memory/statement.ts";

const now = new Date("2026-01-15T10:00:00.000Z");
const place = { userId: "u", scope: "user" as const };

/** A quarter of what the texts say that the quality of conflicts is measured by. Each is compared with each. */
const facts = ["conflicts", "sequences"]
  .flatMap(file => readFileSync(`bench/quality/fixtures/${file}.jsonl`, "utf8").split("\n"))
  .flatMap(line =>
    [...line.matchAll(/"((?:[^"\\]|\\.){12,})"/g)].map(([, text = ""]) => JSON.parse(`"${text}"`) as string),
  )
  .flatMap(text => extractFacts(text, { now }))
  .filter((_, at) => at % 4 === 0);

it("lead the rules to every memory that they decide about, without a search", () => {
  const known = facts.map(({ content, slots, eventDate }, at) => ({
    candidate: { id: `${at}`, content, slots, eventDate },
    keys: keysOf(place, { content, slots, eventDate }),
  }));
  const decided = { same: 0, supersede: 0, add: 0 };
  for (const fact of facts) {
    const sought = soughtKeys(place, fact);
    for (const { candidate, keys } of known) {
      const { kind } = decide(fact, [candidate]);
      decided[kind]++;
      if (kind === "add") continue;
      // What the words alone show needs no key: the latest memories are compared by their words.
      const shared = isSought(sought, keys) || decide(fact, [], { nearby: [candidate] }).kind === kind;
      expect({ fact: fact.content, candidate: candidate.content, shared }).toMatchObject({ shared: true });
    }
  }
  expect(decided.same).toBeGreaterThanOrEqual(facts.length);
  expect(decided.supersede).toBeGreaterThan(50);
});
