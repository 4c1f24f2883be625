// Fits the weights by which the words of statements are compared: node bench/quality/fit-evidence.ts. With `check`, it first
// prints for some sets how well weights do that were fitted to all others.
import { writeFileSync } from "node:fs";
import { aligned } from "../../core/memory/alignment/align.ts";
import { outlineOf } from "../../core/memory/alignment/outline.ts";
import { profileOf } from "../../core/memory/alignment/profile.ts";
import { isCommon, type Reading, readingOf } from "../../core/memory/evidence/reading.ts";
import { signalsOf } from "../../core/memory/evidence/signals.ts";
import { extractFacts } from "../../core/memory/extract-facts.ts";
import { NOW } from "./memory-quality.ts";
import { type Sequences, sequencesOf, SETS } from "./sequence-quality.ts";

const PASSES = 30;
const RATE = 0.1;
const DECAY = 0.02;
/** Rarer signals are left out, and so are weights that hardly count. */
const MIN_LINES = 3;
const MIN_LINES_OF_WORD = 8;
const MIN_WEIGHT = 0.08;

type Target = "change" | "repetition";
/** The signals that a pair has, by index. */
type Signs = readonly (readonly [number, number])[];

interface Line {
  set: string;
  kind: string;
  weight: number;
  /** For each fact of the later text, its pairs with the facts of the earlier one. */
  facts: Signs[][];
}

const readings = new Map<string, Reading | null>();
function read(content: string): Reading | null {
  let found = readings.get(content);
  if (found === undefined) {
    const outline = outlineOf(content);
    found = outline && readingOf(profileOf(content, outline));
    readings.set(content, found);
  }
  return found;
}
const factsOf = (text: string) => extractFacts(text, { now: NOW }).flatMap(({ content }) => read(content) ?? []);

const names: string[] = [];
const indexes = new Map<string, number>();
function indexOf(name: string): number {
  const known = indexes.get(name);
  if (known !== undefined) return known;
  indexes.set(name, names.length);
  return names.push(name) - 1;
}

function signsOf(now: Reading, before: Reading): Signs[] {
  const found: [number, number][] = [];
  const take = (name: string, value: number) => found.push([indexOf(name), value]);
  if (!signalsOf(now, before, aligned(now.profile, before.profile), { isWanted: () => true, take })) return [];
  for (const word of now.words) if (isCommon(word)) take(`now says ${word}`, 1);
  for (const word of before.words) if (isCommon(word)) take(`before says ${word}`, 1);
  return [found];
}

function linesOf(set: Sequences, weight: number): Line[] {
  const all = sequencesOf(set);
  const told = all.map(({ kind, before, now }) => ({ kind, before: factsOf(before), now: factsOf(now) }));
  const own = told.map(({ kind, before, now }) => ({
    ...{ set, kind, weight },
    facts: now.map(one => before.flatMap(other => signsOf(one, other))),
  }));
  // Statements about other matters, as most memories are.
  const strange = told.flatMap(({ now }, at) =>
    weight < 2
      ? []
      : [17, 71, 113].map(step => ({
          ...{ set, kind: "other matter", weight: 0.5 },
          facts: now.map(one => told[(at + step) % told.length]!.before.flatMap(other => signsOf(one, other))),
        })),
  );
  return [...own, ...strange].filter(({ kind }) => kind !== "fact");
}

/** Numbers that look random, the same in each run. */
function* random(): Generator<number> {
  for (let seed = 12_345; ; seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) yield seed / 0x7fffffff;
}

const sum = (weights: Float64Array, signs: Signs) =>
  signs.reduce((all, [at, value]) => all + (weights[at] ?? 0) * value, 0);
const best = (weights: Float64Array, pairs: readonly Signs[]) =>
  pairs.reduce((top, one) => (sum(weights, one) > sum(weights, top) ? one : top));

/** A change needs one pair of facts. A repetition needs a pair for each fact of the later text. */
export function scoreOf(target: Target, weights: Float64Array, { facts }: Line): number {
  const scores = facts.map(pairs => (pairs.length === 0 ? -99 : sum(weights, best(weights, pairs))));
  return scores.length === 0 ? -99 : target === "change" ? Math.max(...scores) : Math.min(...scores);
}

/** Logistic regression by AdaGrad, over the deciding pair of each line. The weights of the later passes are averaged. */
function fit(lines: readonly Line[], target: Target, used: ReadonlySet<number>): Float64Array {
  const weights = new Float64Array(names.length);
  const squares = new Float64Array(names.length).fill(1e-6);
  const mean = new Float64Array(names.length);
  const decay = names.map(name => DECAY * (name === "bias" ? 0 : / says /.test(name) ? 3 : 1));
  const numbers = random();
  const order = [...lines];
  for (let pass = 0; pass < PASSES; pass++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(numbers.next().value! * (at + 1));
      [order[at], order[other]] = [order[other]!, order[at]!];
    }
    for (const { kind, facts, weight } of order) {
      const rows = facts.filter(pairs => pairs.length > 0);
      if (rows.length === 0) continue;
      const isTarget = kind === target;
      const tops = rows.map(pairs => best(weights, pairs));
      const least = () => tops.reduce((low, one) => (sum(weights, one) < sum(weights, low) ? one : low));
      for (const signs of target === "change" ? [best(weights, tops)] : isTarget ? tops : [least()]) {
        const error = (1 / (1 + Math.exp(-sum(weights, signs))) - (isTarget ? 1 : 0)) * weight;
        for (const [at, value] of signs) {
          if (!used.has(at)) continue;
          const slope = error * value + decay[at]! * weights[at]!;
          squares[at]! += slope * slope;
          weights[at]! -= (RATE * slope) / Math.sqrt(squares[at]!);
        }
      }
    }
    if (pass >= PASSES / 2) for (const at of mean.keys()) mean[at]! += weights[at]! / (PASSES / 2);
  }
  return mean;
}

function usedIn(lines: readonly Line[]): Set<number> {
  const counts = new Map<number, number>();
  for (const { facts, kind } of lines)
    if (kind !== "other matter")
      for (const at of new Set(facts.flat(2).map(([index]) => index))) counts.set(at, (counts.get(at) ?? 0) + 1);
  return new Set(
    [...counts]
      .filter(([at, count]) => count >= (/ says /.test(names[at]!) ? MIN_LINES_OF_WORD : MIN_LINES))
      .map(([at]) => at),
  );
}

/** The share of the targets that score above each of the first wrong ones. */
function curve(target: Target, weights: Float64Array, lines: readonly Line[]): string {
  const sorted = lines.map(line => ({ line, score: scoreOf(target, weights, line) })).sort((a, b) => b.score - a.score);
  const all = lines.filter(({ kind }) => kind === target).length;
  const steps: string[] = [];
  let right = 0;
  for (const { line, score } of sorted)
    if (line.kind === target) right++;
    else if (steps.push(`${(right / all).toFixed(2)} above ${score.toFixed(1)}`) === 6) break;
  return steps.join(", ");
}

// The other half of the sequences stays unseen.
const all = [
  ...linesOf("tuned", 1),
  ...Object.entries(SETS).flatMap(([set, weight]) => (weight > 0 ? linesOf(set as keyof typeof SETS, weight) : [])),
];
const fitted = (lines: readonly Line[], target: Target) => fit(lines, target, usedIn(lines));

for (const set of process.argv[2] === "check" ? ["fresh", "private", "work"] : []) {
  const rest = all.filter(line => line.set !== set);
  for (const target of ["change", "repetition"] as const)
    console.log(
      `${set}, not fitted to it: ${target} ${curve(
        target,
        fitted(rest, target),
        all.filter(line => line.set === set),
      )}`,
    );
}
const change = fitted(all, "change");
const same = fitted(all, "repetition");
const rows = names.flatMap((name, at) =>
  Math.abs(change[at] ?? 0) < MIN_WEIGHT && Math.abs(same[at] ?? 0) < MIN_WEIGHT
    ? []
    : [`${name} ${(change[at] ?? 0).toFixed(2)} ${(same[at] ?? 0).toFixed(2)}`],
);
const table = rows.reduce<string[]>((lines, row) => {
  const last = lines.at(-1);
  if (last !== undefined && last.length + row.length < 118) lines[lines.length - 1] = `${last} | ${row}`;
  else lines.push(row);
  return lines;
}, []);
writeFileSync(
  "core/memory/evidence/weights.ts",
  `// How much each signal (signals.ts) counts for a change and for a repetition, as data. Fitted to the fixtures by\n// bench/quality/fit-evidence.ts.\nexport const WEIGHTS = \`\n${table.join("\n")}\n\`;\n`,
);
