import { readFileSync } from "node:fs";
import { type Candidate, decide } from "../../core/memory/decide.ts";
import { extractFacts } from "../../core/memory/extract-facts.ts";
import { type Half, HALVES, NOW } from "./memory-quality.ts";

/** What a sentence does to the facts before it. */
type Kind = "change" | "repetition" | "look-alike" | "no fact" | "fact";

interface Sequence {
  kind: Kind;
  /** The group of sentences that the sequence belongs to: `home`, `negation`. */
  about: string;
  before: string;
  now: string;
}

interface Outcome {
  /** The number of facts in `before` that `now` supersedes. */
  superseded: number;
  /** The number of facts in `now` that are taken for facts of `before`. */
  same: number;
  /** The number of facts in `now` that are kept. */
  kept: number;
  /** True if any fact of `before` is remembered. */
  known: boolean;
}

export interface SequenceQuality {
  /** The share of changes that supersede a fact. */
  changes: number;
  /** The share of superseding sentences that are changes. */
  precision: number;
  /** The share of repetitions that add nothing and remove nothing. */
  repetitions: number;
  /** The share of sentences taken for repetitions that are repetitions. */
  repetitionPrecision: number;
  /** Sentences that supersede a fact but are not changes. */
  wrong: number;
  /** Sentences without a fact from which something is kept nevertheless. */
  merged: number;
  /** Sentences without a fact of which something is kept nevertheless. */
  junk: number;
  /** The share of sentences with one fact of their own from which something is kept. */
  facts: number;
  lines: number;
  /** The number of correct sequences and of all sequences, by kind and group. */
  groups: Map<string, { right: number; all: number }>;
  misses: string[];
}

/**
 * The two halves of `sequences` and `unseen` are as they were before the words were compared; only the half that is held
 * out was never read, and the weights of the evidence are not fitted to it. The others are for development. `later`,
 * `fresh`, `private` and `work` were written by authors who did not know the rules, and scored before they were read or
 * fitted to: ADR 0027 has the scores. `unread` is a further set by such an author, of which only a wrong change was read.
 */
export type Sequences = Half | keyof typeof SETS;

const linesOf = (file: string): Sequence[] =>
  readFileSync(`${process.cwd()}/bench/quality/fixtures/${file}.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map(line => JSON.parse(line) as Sequence);

/** The sets beside `sequences`, and how much a line of each counts when the weights are fitted. */
export const SETS = {
  changes: 1,
  registers: 1,
  unseen: 1,
  everyday: 1,
  later: 1,
  themes: 1,
  fresh: 2,
  private: 2,
  work: 2,
  unread: 0,
} as const;
const isHalf = (set: Sequences): set is Half => !(set in SETS);

/** The two halves take alternate sequences, so that both contain some of each group. */
export const sequencesOf = (set: Sequences): Sequence[] =>
  isHalf(set) ? linesOf("sequences").filter((_, at) => at % 2 === HALVES.indexOf(set)) : linesOf(set);

/** The facts of a text. Each is compared with the facts before it, like in the service. */
function told(text: string, known: readonly Candidate[], prefix: string) {
  let current = [...known];
  let same = 0;
  for (const [at, fact] of extractFacts(text, { now: NOW }).entries()) {
    const decision = decide(fact, current);
    if (decision.kind === "same") same++;
    if (decision.kind === "same") continue;
    const gone = new Set(decision.kind === "supersede" ? decision.ids : []);
    current = [...current.filter(({ id }) => !gone.has(id)), { ...fact, id: `${prefix}${at}` }];
  }
  return { current, same };
}

function outcomeOf({ before, now }: Sequence): Outcome {
  const known = told(before, [], "before ").current;
  const { current, same } = told(now, known, "now ");
  const left = current.filter(({ id }) => id.startsWith("before ")).length;
  return {
    superseded: known.length - left,
    same,
    kept: current.length - left,
    known: known.length > 0,
  };
}

const RIGHT: Record<Kind, (outcome: Outcome) => boolean> = {
  change: ({ superseded }) => superseded > 0,
  repetition: ({ known, kept, superseded }) => known && kept === 0 && superseded === 0,
  "look-alike": ({ superseded, same, kept }) => superseded === 0 && (same === 0 || kept > 0),
  "no fact": ({ superseded, kept }) => superseded === 0 && kept === 0,
  fact: ({ kept }) => kept > 0,
};

const share = (part: number, all: number) => (all === 0 ? 1 : part / all);

export function sequenceQuality(set: Sequences): SequenceQuality {
  const all = sequencesOf(set).map(sequence => ({ sequence, outcome: outcomeOf(sequence) }));
  const groups: SequenceQuality["groups"] = new Map();
  const misses: string[] = [];
  for (const { sequence, outcome } of all) {
    const { kind, about, before, now } = sequence;
    const isRight = RIGHT[kind](outcome);
    for (const group of [kind, `${kind}: ${about}`]) {
      const { right, all: total } = groups.get(group) ?? { right: 0, all: 0 };
      groups.set(group, { right: right + (isRight ? 1 : 0), all: total + 1 });
    }
    if (!isRight) misses.push(`${kind}: ${before} | ${now} → ${JSON.stringify(outcome)}`);
  }
  const count = (test: (outcome: Outcome, kind: Kind) => boolean) =>
    all.filter(({ sequence, outcome }) => test(outcome, sequence.kind)).length;
  const recall = (kind: Kind) => share(groups.get(kind)?.right ?? 0, groups.get(kind)?.all ?? 0);
  const superseding = count(({ superseded }) => superseded > 0);
  const wrong = count(({ superseded }, kind) => superseded > 0 && kind !== "change");
  const repeating = count(({ same, kept }) => same > 0 && kept === 0);
  const repeated = count(({ same, kept }, kind) => same > 0 && kept === 0 && kind === "repetition");
  return {
    changes: recall("change"),
    precision: share(superseding - wrong, superseding),
    repetitions: recall("repetition"),
    repetitionPrecision: share(repeated, repeating),
    wrong,
    merged: count(({ same, kept }, kind) => kind === "look-alike" && same > 0 && kept === 0),
    junk: count(({ kept }, kind) => kind === "no fact" && kept > 0),
    facts: recall("fact"),
    lines: all.length,
    groups,
    misses,
  };
}
