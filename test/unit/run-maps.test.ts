import fc from "fast-check";
import { advance } from "../../core/run/advance.ts";
import type { JournalEntry, StepResult } from "../../core/run/entry.ts";
import { framesWithin, type NodeState } from "../../core/run/frame.ts";
import { keptEntries } from "../../core/run/kept-entries.ts";
import { fold } from "../../core/run/fold.ts";
import type { RunState } from "../../core/run/state.ts";
import { dueSteps } from "../../core/run/waits.ts";
import { created, graphOf, runningSteps, simulate } from "../support/simulate-run.ts";

const done = (output: unknown, handle = "out"): StepResult => ({ kind: "done", output, handle });
const broken: StepResult = { kind: "failed", error: { code: "broken", message: "It broke." } };
const around = { now: "2026-01-01T00:00:01.000Z", random: 0.5 };

const KINDS = ["transform", "condition", "merge", "map", "loop"] as const;

interface Made {
  kinds: (typeof KINDS)[number][];
  links: [number, number, boolean][];
  parents: number[];
  items: number;
  concurrency: number;
  /** The node that fails, if it is there, and what the policies say of failures. */
  failing: number;
  onError: ("fail" | "route")[];
}

const made: fc.Arbitrary<Made> = fc.integer({ min: 1, max: 10 }).chain(size =>
  fc.record({
    kinds: fc.array(fc.constantFrom(...KINDS), { minLength: size, maxLength: size }),
    links: fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1), fc.boolean()), { maxLength: 20 }),
    parents: fc.array(fc.nat(size), { minLength: size, maxLength: size }),
    items: fc.integer({ min: 0, max: 3 }),
    concurrency: fc.integer({ min: 1, max: 3 }),
    failing: fc.nat(2 * size),
    onError: fc.array(fc.constantFrom("fail" as const, "route" as const), { minLength: size, maxLength: size }),
  }),
);

const isContainer = (type: string | undefined) => type === "map" || type === "loop";

/** A random acyclic graph, with maps and loops in each other: parents come before their children, edges lead onwards on one level. */
function build({ kinds, links, parents, concurrency, onError }: Made) {
  const levels: number[] = [];
  const parentOf = kinds.map((_, i) => {
    const parent = parents[i] ?? 0;
    const fits = parent < i && isContainer(kinds[parent]) && (levels[parent] ?? 0) < 2;
    levels.push(fits ? (levels[parent] ?? 0) + 1 : 0);
    return fits ? parent : undefined;
  });
  const data = {
    transform: { value: 1 },
    condition: { if: true },
    merge: {},
    map: { items: [], concurrency },
    loop: { until: true },
  };
  const nodes = kinds.map((type, i) => ({
    id: `n${i}`,
    type,
    data: data[type],
    policy: { onError: onError[i] },
    ...(parentOf[i] !== undefined && { parentId: `n${parentOf[i]}` }),
  }));
  const edges = links
    .filter(([a, b]) => a < b && parentOf[a] === parentOf[b])
    .map(([a, b, yes]) => ({
      source: `n${a}`,
      target: `n${b}`,
      ...(kinds[a] === "condition" && { sourceHandle: String(yes) }),
    }));
  return graphOf({ nodes, edges });
}

const textOf = (item: unknown) => (typeof item === "string" ? item : "");

const resultsOf = (what: Made, failing = -1) => {
  const graph = build(what);
  return (id: string, _attempt: number, item: unknown, _records: unknown, node: NodeState): StepResult => {
    const type = graph.byId.get(id)?.type;
    if (id === `n${failing}`) return broken;
    if (type === "map") {
      const items = Array.from({ length: what.items }, (_, i) => `${textOf(item)}.${i}`);
      return { kind: "iterate", items, concurrency: what.concurrency };
    }
    if (type === "loop") {
      const index = node.map?.round ? node.map.round.index + 1 : 0;
      const carry = `${textOf(node.map?.round ? node.map.round.carry : item)}~${index}`;
      if (index === what.items) return done({ carry, iterations: index });
      return { kind: "round", index, carry, ...(what.concurrency === 2 && index > 0 && { until: around.now }) };
    }
    if (type !== "condition") return done(`${id} ${textOf(item)}`);
    const yes = String((id.length + textOf(item).length) % 2 === 0);
    return done({ result: yes }, yes);
  };
};

const keyOfEntry = (entry: JournalEntry) =>
  "nodeId" in entry ? [entry.nodeId, ...(entry.path ?? []).map(part => part.index)].join(":") : "";

/** The counts that a state keeps, counted anew. */
function recount(state: RunState) {
  const frames = [...framesWithin(state)];
  const nodes = frames.flatMap(frame => [...frame.nodes.values()]);
  return {
    running: nodes.filter(node => node.status === "running").length,
    waiting: nodes.filter(node => node.status === "waiting").length,
    frames: frames.length - 1,
    active: [...state.nodes.values()].filter(node => ["running", "waiting", "iterating"].includes(node.status)).length,
  };
}
const counted = ({ running, waiting, frames, active }: RunState) => ({
  running,
  waiting: waiting.size,
  frames,
  active,
});

test("ends a run in the same state from every prefix of its journal", () => {
  fc.assert(
    fc.property(made, fc.nat(), (what, cut) => {
      const graph = build(what);
      const resultOf = resultsOf(what, what.failing);
      const whole = simulate(graph, resultOf);
      const prefix = whole.journal.slice(0, 1 + (cut % whole.journal.length));
      const resumed = simulate(graph, resultOf, { journal: prefix });
      expect(resumed.state.status).toBe(whole.state.status);
      expect(resumed.state.output).toEqual(whole.state.output);
      expect(resumed.state.error).toEqual(whole.state.error);
      expect(resumed.journal.map(entry => entry.seq)).toEqual(resumed.journal.map((_, i) => i));
      const finished = new Set(prefix.filter(entry => entry.event === "step.completed").map(keyOfEntry));
      for (const id of resumed.performed.keys()) expect(finished.has(id)).toBe(false);
    }),
    { numRuns: 200 },
  );
});

test("gives the same output in any order in which steps of items end, and runs none twice", () => {
  fc.assert(
    fc.property(made, fc.infiniteStream(fc.nat(20)), (what, picks) => {
      const graph = build(what);
      const first = simulate(graph, resultsOf(what));
      const other = simulate(graph, resultsOf(what), { pick: () => picks.next().value as number });
      expect(other.state.output).toEqual(first.state.output);
      for (const [key, count] of other.performed) {
        const isLoop = graph.byId.get(key.split(":")[0]!)?.type === "loop";
        expect(count).toBe(isLoop ? what.items + 1 : 1);
      }
    }),
    { numRuns: 120 },
  );
});

test("equals the fold of the journal at every point if the state is updated, counts included", () => {
  fc.assert(
    fc.property(made, fc.infiniteStream(fc.nat(20)), (what, picks) => {
      const graph = build(what);
      const resultOf = resultsOf(what);
      const state = fold([created]);
      const journal: JournalEntry[] = [created, ...advance(graph, state, [{ kind: "begin" }], around)];
      for (let turn = 0; turn < 500 && state.running > 0; turn++) {
        const running = runningSteps(state);
        const chosen = running[(picks.next().value as number) % running.length];
        if (!chosen) break;
        const { at, node, item } = chosen;
        const result = resultOf(at.nodeId, node.failures + 1, item, [], node);
        journal.push(...advance(graph, state, [{ kind: "result", at, result, durationMs: 1 }], around));
        const due = dueSteps(state, around.now).map(at => ({ kind: "due" as const, at }));
        journal.push(...advance(graph, state, due, around));
        const folded = fold(JSON.parse(JSON.stringify(journal)) as JournalEntry[]);
        expect(counted(folded)).toEqual(recount(folded));
        expect(counted(state)).toEqual(counted(folded));
        expect([folded.status, folded.seq, folded.output]).toEqual([state.status, state.seq, state.output]);
        expect(runningSteps(folded).map(step => step.at)).toEqual(runningSteps(state).map(step => step.at));
      }
      expect(state.status).toBe("completed");
    }),
    { numRuns: 60 },
  );
});

test("repeats only unfinished work in a retry, and ends as if nothing had failed", () => {
  fc.assert(
    fc.property(made, fc.nat(40), (what, failing) => {
      const graph = build(what);
      const resultOf = resultsOf(what);
      let left = failing;
      const failed = simulate(graph, (...step) => (left-- === 0 ? broken : resultOf(...step)));
      fc.pre(failed.state.status === "failed");
      const state = fold([created]);
      const kept = keptEntries(graph, graph, failed.state, null);
      const begun = advance(graph, state, [{ kind: "begin", kept }], around);
      const again = simulate(graph, resultOf, { journal: [created, ...begun] });
      expect(again.state.output).toEqual(simulate(graph, resultOf).state.output);
      const finished = failed.journal.filter(entry => entry.event === "step.completed" && entry.nodeId !== undefined);
      for (const entry of finished) {
        if (!("nodeId" in entry) || isContainer(graph.byId.get(entry.nodeId ?? "")?.type)) continue;
        expect(again.performed.has(keyOfEntry(entry))).toBe(false);
      }
    }),
    { numRuns: 120 },
  );
});

test("ends a run whose journal is full with an entry that says so", () => {
  const graph = graphOf({ nodes: [{ id: "a", type: "transform", data: { value: 1 } }] });
  const state = fold([created]);
  advance(graph, state, [{ kind: "begin" }], around);
  state.seq = 49_998;
  const logs = Array.from({ length: 5 }, () => ({ level: "info" as const, message: "x" }));
  const result: StepResult = { kind: "done", output: 1, logs };
  const entries = advance(graph, state, [{ kind: "result", at: { nodeId: "a" }, result, durationMs: 1 }], around);
  expect(entries.map(({ seq, event }) => `${seq} ${event}`)).toEqual(["49999 step.log", "50000 execution.failed"]);
  expect(state.error?.code).toBe("journal_full");
});

test.each([
  ["that surely all run", ["a", "b", "c"].map(id => ({ source: id, target: `${id}2` })), "journal_full"],
  [
    "that may be skipped",
    ["a", "b", "c"].map(id => ({ source: id, target: `${id}2`, sourceHandle: "error" })),
    undefined,
  ],
])("rejects a map whose journal would be too long for the steps %s before any of them", (_what, edges, code) => {
  const inside = (id: string) => ({
    id,
    type: "transform",
    data: { value: 1 },
    parentId: "m",
    policy: { onError: edges[0] && "sourceHandle" in edges[0] ? "route" : "fail" },
  });
  const nodes = ["a", "b", "c", "a2", "b2", "c2"].map(inside);
  const graph = graphOf({ nodes: [{ id: "m", type: "map", data: { items: [] } }, ...nodes], edges });
  const state = fold([created]);
  advance(graph, state, [{ kind: "begin" }], around);
  const result: StepResult = { kind: "iterate", items: new Array(5_000).fill(1), concurrency: 1 };
  advance(graph, state, [{ kind: "result", at: { nodeId: "m" }, result, durationMs: 1 }], around);
  expect(state.error?.code).toBe(code);
});
