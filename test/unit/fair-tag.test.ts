import fc from "fast-check";
import { FairTags } from "../../core/run/fair-tag.ts";

interface Waiting {
  workspace: string;
  /** Counts the runs of all workspaces, oldest first, as their ids do. */
  id: number;
  tag: number;
}

/** A queue as the store keeps it: the lowest tag is claimed first, of equal ones the oldest. */
class Queue {
  readonly waiting: Waiting[] = [];
  readonly underWay: Waiting[] = [];
  private readonly tags = new FairTags();
  private ids = 0;

  /** What a tag is taken from; what is under way is not shown. */
  private glimpse(workspace: string) {
    const of = (runs: Waiting[]) => runs.map(run => run.tag);
    const [all, mine] = [of(this.waiting), of(this.waiting.filter(run => run.workspace === workspace))];
    return { head: all.length ? Math.min(...all) : null, last: mine.length ? Math.max(...mine) : null };
  }

  begin(workspace: string): Waiting {
    const run = { workspace, id: ++this.ids, tag: this.tags.give(workspace, this.glimpse(workspace)) };
    this.underWay.push(run);
    return run;
  }

  land(place: number): void {
    const [run] = this.underWay.splice(place % Math.max(1, this.underWay.length), 1);
    if (!run) return;
    this.waiting.push(run);
    this.tags.settled(run.workspace);
  }

  insert(workspace: string): Waiting {
    const run = this.begin(workspace);
    this.land(this.underWay.length - 1);
    return run;
  }

  claim(): Waiting | undefined {
    this.waiting.sort((a, b) => a.tag - b.tag || a.id - b.id);
    return this.waiting.shift();
  }
}

const TENANTS = ["a", "b", "c", "d"];
const tenant = fc.constantFrom(...TENANTS);
const insert = fc.record({ kind: fc.constant("insert" as const), workspace: tenant });
const claim = fc.record({ kind: fc.constant("claim" as const) });
/** What happened to a queue before something is asked of it: many more inserts than claims, so that it is long. */
const past = fc.array(fc.oneof({ arbitrary: insert, weight: 3 }, { arbitrary: claim, weight: 1 }), { maxLength: 120 });
type Past = ({ kind: "insert"; workspace: string } | { kind: "claim" })[];

function queueAfter(steps: Past): Queue {
  const queue = new Queue();
  for (const step of steps) {
    if (step.kind === "insert") queue.insert(step.workspace);
    else queue.claim();
  }
  return queue;
}

/** Serves until this run's turn, with something else input before each turn; those that were served before it. */
function servedBefore(queue: Queue, mine: Waiting, meanwhile: (turn: number) => void): Waiting[] {
  const before: Waiting[] = [];
  for (let turn = 0; ; turn++) {
    meanwhile(turn);
    const run = queue.claim();
    if (run === undefined || before.length > 10_000) throw new Error("Its turn never came.");
    if (run === mine) return before;
    before.push(run);
  }
}

const perWorkspace = (runs: Waiting[]) => Map.groupBy(runs, run => run.workspace);

test("makes the first run of a workspace wait for at most one run of each other workspace", () => {
  fc.assert(
    fc.property(past, fc.array(tenant, { minLength: 1, maxLength: 6 }), (steps, coming) => {
      const queue = queueAfter(steps);
      const first = queue.insert("new");
      const before = servedBefore(queue, first, () => coming.forEach(workspace => queue.insert(workspace)));
      for (const runs of perWorkspace(before).values()) expect(runs.length).toBe(1);
    }),
  );
});

test("makes the nth waiting run of a workspace wait for at most n runs of each other workspace", () => {
  fc.assert(
    fc.property(
      past,
      fc.array(tenant, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 20 }),
      (steps, coming, n) => {
        const queue = queueAfter(steps);
        for (let i = 1; i < n; i++) queue.insert("new");
        const nth = queue.insert("new");
        const before = servedBefore(queue, nth, () => coming.forEach(workspace => queue.insert(workspace)));
        const served = perWorkspace(before);
        expect(served.get("new")?.length ?? 0).toBe(n - 1);
        for (const runs of served.values()) expect(runs.length).toBeLessThanOrEqual(n);
      },
    ),
  );
});

test("keeps the order of starts within a workspace", () => {
  fc.assert(
    fc.property(past, steps => {
      const queue = queueAfter(steps);
      const last = new Map<string, number>();
      for (let run = queue.claim(); run; run = queue.claim()) {
        expect(run.id).toBeGreaterThan(last.get(run.workspace) ?? 0);
        last.set(run.workspace, run.id);
      }
    }),
  );
});

test("gives equal shares to workspaces that always have something queued", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 20, max: 60 }), { minLength: 2, maxLength: 4 }), counts => {
      const queue = new Queue();
      counts.forEach((count, i) => {
        for (let left = count; left > 0; left--) queue.insert(TENANTS[i] ?? "");
      });
      const served = perWorkspace(Array.from({ length: 20 * counts.length }, () => queue.claim() as Waiting));
      for (let i = 0; i < counts.length; i++) expect(served.get(TENANTS[i] ?? "")).toHaveLength(20);
    }),
  );
});

test("lets simultaneous inserts share a turn by two at most, and none after the existing ones", () => {
  const step = fc.record({ kind: fc.constantFrom("begin", "land", "claim"), workspace: tenant, place: fc.nat(50) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), steps => {
      const queue = new Queue();
      for (const { kind, workspace, place } of steps) {
        if (kind === "claim") queue.claim();
        else if (kind === "land") queue.land(place);
        else {
          const tagsOf = (runs: Waiting[]) => runs.filter(run => run.workspace === workspace).map(run => run.tag);
          const [queued, underWay] = [tagsOf(queue.waiting), tagsOf(queue.underWay)];
          const virtual = Math.min(...queue.waiting.map(run => run.tag));
          const { tag } = queue.begin(workspace);
          // A tag is given twice at most: when the queue empties while runs are under way, it is not known how far they got.
          expect([...queued, ...underWay].filter(other => other === tag).length).toBeLessThanOrEqual(1);
          const first = Math.max(Number.isFinite(virtual) ? virtual : 0, ...queued.map(other => other + 1));
          expect(tag).toBeGreaterThanOrEqual(first);
          expect(tag).toBeLessThanOrEqual(first + underWay.length);
        }
      }
    }),
  );
});
