import { TimeSlices } from "../../adapters/time-slices.ts";
import { factsByClause } from "../../core/memory/extract-facts.ts";
import type { Fact } from "../../core/memory/fact.ts";
import { warmUpRules } from "../../core/memory/warm-up.ts";

/** After this time without use, Node may have discarded the compiled rules. */
const COLD_MS = 5_000;

/** When the rules last read a text, with and without characters beyond Latin-1. */
const lastRead = { narrow: -Infinity, wide: -Infinity };

async function rehearse(text: string, turns: TimeSlices): Promise<void> {
  const kind = /[^\0-\xff]/.test(text) ? "wide" : "narrow";
  const isCold = performance.now() - lastRead[kind] > COLD_MS;
  lastRead[kind] = performance.now();
  if (!isCold) return;
  const rules = warmUpRules(kind === "wide");
  while (!rules.next().done) await turns.next();
}

/** The facts that the rules find in a text, by clause. Other requests get turns in between. */
export async function* readText(text: string, now: Date, turns = new TimeSlices()): AsyncGenerator<Fact[]> {
  await rehearse(text, turns);
  for (const facts of factsByClause(text, { now })) {
    yield facts;
    await turns.next();
  }
}

/** The result of `readText` as one list. */
export async function factsIn(text: string, now: Date, turns?: TimeSlices): Promise<Fact[]> {
  const found: Fact[] = [];
  for await (const facts of readText(text, now, turns)) found.push(...facts);
  return found;
}
