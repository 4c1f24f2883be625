import { readFileSync } from "node:fs";
import { type Candidate, decide } from "../../core/memory/decide.ts";
import { extractFacts } from "../../core/memory/extract-facts.ts";
import type { Fact } from "../../core/memory/fact.ts";
import { keyOf } from "../../core/memory/normalise.ts";

/** A Wednesday. The fixtures' dates are relative to it. */
export const NOW = new Date("2026-03-18T09:30:00.000Z");
/** The share of words that an expected fact and a found fact must have in common to match. */
const ENOUGH = 0.75;
const IDLE = new Set(["user", "be", "is", "ha", "have", "to", "in", "at", "on", "for", "i"]);

export type Half = "tuned" | "held out";
export const HALVES: readonly Half[] = ["tuned", "held out"];

interface Labelled {
  text: string;
  facts: { content: string; type: string; date?: string }[];
}

interface Pair {
  kind: "conflict" | "duplicate" | "look-alike";
  before: string;
  now: string;
  /** Words that identify the facts of `before` that are superseded. If absent, all of them are. */
  superseded?: string[];
}

export interface Ratio {
  precision: number;
  recall: number;
}

export interface ExtractionQuality extends Ratio {
  /** How many facts with the expected content also have the expected type. */
  types: number;
  dates: number;
  /** Lines of chatter from which a fact was remembered. */
  remembered: number;
  lines: number;
  misses: string[];
}

export interface ConflictQuality extends Ratio {
  /** The share of repeated facts that were recognised as duplicates. */
  duplicates: number;
  /** Pairs that must both stay current, but of which one was superseded. */
  wrong: number;
  /** Pairs that must both stay current, but were taken for duplicates. */
  merged: number;
  lines: number;
  misses: string[];
}

const folder = `${process.cwd()}/bench/quality/fixtures/`;

/** The rules were tuned with every other line. The remaining lines were only scored and never read. */
function linesOf<T>(file: string, half: Half): T[] {
  const all = readFileSync(folder + file, "utf8")
    .trim()
    .split("\n");
  return all.filter((_, at) => at % 2 === HALVES.indexOf(half)).map(line => JSON.parse(line) as T);
}

const wordsOf = (content: string) =>
  new Set(
    keyOf(content)
      .split(" ")
      .filter(word => !IDLE.has(word)),
  );

function likeness(a: string, b: string): number {
  const [x, y] = [wordsOf(a), wordsOf(b)];
  return x.intersection(y).size / Math.max(1, x.union(y).size);
}

const share = (part: number, all: number) => (all === 0 ? 1 : part / all);

export function extractionQuality(half: Half): ExtractionQuality {
  const lines = linesOf<Labelled>("extraction.jsonl", half);
  const counts = { found: 0, expected: 0, right: 0, types: 0, dates: 0, dated: 0, remembered: 0 };
  const misses: string[] = [];
  for (const { text, facts } of lines) {
    const found = extractFacts(text, { now: NOW });
    const left = [...found];
    counts.found += found.length;
    counts.expected += facts.length;
    if (facts.length === 0 && found.length > 0) counts.remembered++;
    for (const { content, type, date } of facts) {
      const at = left.findIndex(fact => likeness(fact.content, content) >= ENOUGH);
      if (at < 0) {
        misses.push(`not found: ${content} (${text})`);
        continue;
      }
      const [fact] = left.splice(at, 1) as [Fact];
      counts.right++;
      if (fact.factType === type) counts.types++;
      else misses.push(`${fact.factType}, not ${type}: ${fact.content}`);
      if (date === undefined) continue;
      counts.dated++;
      if (fact.eventDate?.slice(0, 10) === date) counts.dates++;
      else misses.push(`${fact.eventDate?.slice(0, 10)}, not ${date}: ${fact.content}`);
    }
    misses.push(...left.map(({ content }) => `too much: ${content} (${text})`));
  }
  return {
    precision: share(counts.right, counts.found),
    recall: share(counts.right, counts.expected),
    types: share(counts.types, counts.right),
    dates: share(counts.dates, counts.dated),
    remembered: counts.remembered,
    lines: lines.length,
    misses,
  };
}

export function conflictQuality(half: Half): ConflictQuality {
  const lines = linesOf<Pair>("conflicts.jsonl", half);
  const counts = { superseded: 0, expected: 0, right: 0, duplicates: 0, same: 0, wrong: 0, merged: 0 };
  const misses: string[] = [];
  for (const { kind, before, now, superseded } of lines) {
    const known: Candidate[] = extractFacts(before, { now: NOW }).map((fact, at) => ({ ...fact, id: String(at) }));
    const decisions = extractFacts(now, { now: NOW }).map(fact => decide(fact, known));
    const gone = new Set(decisions.flatMap(decision => (decision.kind === "supersede" ? decision.ids : [])));
    const isSame = decisions.length > 0 && decisions.every(decision => decision.kind === "same");
    const isMerged = decisions.some(decision => decision.kind === "same");
    const toGo = new Set(
      kind === "conflict"
        ? known.filter(({ content }) => superseded?.some(word => content.includes(word)) ?? true).map(({ id }) => id)
        : [],
    );
    // A fact that was not extracted counts as missed too.
    counts.expected += kind === "conflict" ? Math.max(1, toGo.size) : 0;
    counts.superseded += gone.size;
    counts.right += gone.intersection(toGo).size;
    if (kind === "duplicate") counts.duplicates++;
    if (kind === "duplicate" && isSame) counts.same++;
    if (kind === "look-alike" && gone.size > 0) counts.wrong++;
    if (kind === "look-alike" && isMerged) counts.merged++;
    const fine = {
      conflict: toGo.size > 0 && gone.symmetricDifference(toGo).size === 0,
      duplicate: isSame,
      "look-alike": gone.size === 0 && !isMerged,
    };
    if (!fine[kind]) misses.push(`${kind}: ${before} | ${now} → ${JSON.stringify(decisions.map(one => one.kind))}`);
  }
  return {
    precision: share(counts.right, counts.superseded),
    recall: share(counts.right, counts.expected),
    duplicates: share(counts.same, counts.duplicates),
    wrong: counts.wrong,
    merged: counts.merged,
    lines: lines.length,
    misses,
  };
}
