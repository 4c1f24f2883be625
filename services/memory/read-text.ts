import { setImmediate as nextTurn } from "node:timers/promises";
import { factsByClause } from "../../core/memory/extract-facts.ts";
import type { Fact } from "../../core/memory/fact.ts";
import { warmUpRules } from "../../core/memory/warm-up.ts";

/** Other requests get a turn after this time, because a hostile text may take long. */
const TURN_MS = 10;
/** After this time without use, Node may have discarded the compiled rules. */
const COLD_MS = 5_000;

/** Splits long work. The work awaits `next` after each small piece. */
export class TimeSlices {
  readonly #now: () => number;
  #since: number;

  constructor(now = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  /** Lets other work run when the own turn is over. */
  next(): Promise<void> | undefined {
    if (this.#now() - this.#since < TURN_MS) return undefined;
    return nextTurn().then(() => {
      this.#since = this.#now();
    });
  }
}

/** The result of work that yields between its steps. Other requests get turns in between. */
export async function inSlices<T>(steps: Generator<void, T>, turns = new TimeSlices()): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const turn = turns.next();
    if (turn) await turn;
  }
}

/** The results of `make` for all items. Other requests get turns in between. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  make: (item: T, at: number) => R,
  turns = new TimeSlices(),
): Promise<R[]> {
  const made: R[] = [];
  for (const [at, item] of items.entries()) {
    made.push(make(item, at));
    await turns.next();
  }
  return made;
}

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
