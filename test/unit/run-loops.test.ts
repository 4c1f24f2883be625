import { checkDefinition } from "../../core/graph/check-definition.ts";
import { formatOf } from "../../core/graph/format.ts";
import { NEEDS_LOOPS } from "../../core/graph/journal-formats.ts";
import { advance } from "../../core/run/advance.ts";
import { describeEntry as textOf } from "../../core/run/describe-entry.ts";
import type { JournalEntry, StepEntry, StepResult } from "../../core/run/entry.ts";
import { fold } from "../../core/run/fold.ts";
import { framesWithin, type NodeState } from "../../core/run/frame.ts";
import { keptEntries } from "../../core/run/kept-entries.ts";
import { Outline } from "../../core/run/outline/outline.ts";
import { rowsUnder } from "../../core/run/outline/rows.ts";
import { definition, gives, node } from "../support/definition.ts";
import { created, graphOf, simulate } from "../support/simulate-run.ts";

const around = { now: "2026-01-01T00:00:01.000Z", random: 0.5 };
const ROUNDS = 2;
const inside = (parentId: string, made: object) => ({ ...made, parentId });
const done = (output: unknown): StepResult => ({ kind: "done", output });

/** A loop in a loop, with a map of two items inside, and a pause before each round but the first. */
const graph = graphOf(
  definition(
    [
      node("outer", "loop", { until: true }),
      inside("outer", node("inner", "loop", { until: true })),
      inside("inner", node("each", "map", { items: [] })),
      inside("each", gives("a", 1)),
      inside("inner", gives("b", 1)),
      gives("end", 1),
    ],
    "each > b",
    "outer > end",
  ),
);

const resultOf = (id: string, _attempt: number, item: unknown, _records: unknown, { map }: NodeState): StepResult => {
  const type = graph.byId.get(id)?.type;
  if (type === "map") return { kind: "iterate", items: [`${String(item)}x`, `${String(item)}y`], concurrency: 2 };
  if (type !== "loop") return done(`${id} ${String(item)}`);
  const index = map?.round ? map.round.index + 1 : 0;
  const carry = map?.round ? `${String(map.round.carry)}${index}` : `${String(item)}-${id}`;
  if (index === ROUNDS) return done({ carry, iterations: index });
  return { kind: "round", index, carry, ...(index > 0 && { until: around.now }) };
};

const keyOf = ({ nodeId = "", path = [] }: StepEntry) => [nodeId, ...path.map(({ index }) => index)].join(":");
const settled = (journal: readonly JournalEntry[]) =>
  journal.filter((entry): entry is StepEntry => entry.event === "step.completed").map(keyOf);

test("ends a run of loops the same from every prefix of its journal, and runs no step twice", () => {
  const whole = simulate(graph, resultOf);
  expect(whole.state).toMatchObject({ status: "completed", output: "end undefined" });
  expect(new Set(settled(whole.journal)).size).toBe(settled(whole.journal).length);
  for (let cut = 1; cut <= whole.journal.length; cut++) {
    const once = simulate(graph, resultOf, { journal: whole.journal.slice(0, cut) });
    // A crash right behind the takeover, and one some entries later.
    const again = simulate(graph, resultOf, { journal: once.journal.slice(0, cut + 1 + (cut % 7)) });
    for (const { state, journal } of [once, again]) {
      expect([state.status, state.output]).toEqual(["completed", whole.state.output]);
      expect(settled(journal).sort()).toEqual(settled(whole.journal).sort());
      expect(journal.map(({ seq }) => seq)).toEqual(journal.map((_, seq) => seq));
    }
  }
});

test("continues in its rounds after a cancel anywhere, and repeats no finished step", () => {
  const whole = simulate(graph, resultOf);
  for (let cut = 2; cut < whole.journal.length; cut++) {
    const before = whole.journal.slice(0, cut);
    const begun = advance(
      graph,
      fold([created]),
      [{ kind: "begin", kept: keptEntries(graph, graph, fold(before), null) }],
      around,
    );
    const again = simulate(graph, resultOf, { journal: [created, ...begun] });
    expect([again.state.status, again.state.output]).toEqual(["completed", whole.state.output]);
    for (const key of settled(before)) expect([cut, key, again.performed.has(key)]).toEqual([cut, key, false]);
  }
});

test("keeps only the current round in memory", () => {
  const one = graphOf(definition([node("loop", "loop", { until: true }), inside("loop", gives("a", 1))]));
  const state = fold([created]);
  let inputs: Parameters<typeof advance>[2] = [{ kind: "begin" }];
  for (let index = 0; index < 50; index++) {
    advance(one, state, inputs, around);
    const round = { kind: "round" as const, index, carry: "c".repeat(100) };
    advance(one, state, [{ kind: "result", at: { nodeId: "loop" }, result: round, durationMs: 1 }], around);
    expect([...framesWithin(state)]).toHaveLength(2);
    inputs = [
      { kind: "result", at: { nodeId: "a", path: [{ nodeId: "loop", index }] }, result: done(index), durationMs: 1 },
    ];
  }
  expect(state.frames).toBe(1);
});

test("shows a loop with its rounds in the rows of a run, also in those of a retry", () => {
  const { journal } = simulate(graph, resultOf);
  const rowsOf = (entries: readonly JournalEntry[]) => {
    const outline = new Outline();
    for (const entry of entries) outline.add(entry, 0);
    const { rowAt, count } = rowsUnder(outline, graph, [{ nodeId: "outer" }]);
    const [loop] = [rowsUnder(outline, graph, []).rowAt(0)];
    return { loop, rounds: Array.from({ length: count }, (_, place) => `${rowAt(place).type} ${rowAt(place).status}`) };
  };
  const { loop, rounds } = rowsOf(journal);
  expect(loop).toMatchObject({
    status: "completed",
    attempt: 1,
    items: { total: 2, completed: 2, failed: 0, running: 0, rounds: true },
  });
  expect(rounds).toEqual(["round completed", "round completed"]);
  const cut = journal.slice(0, journal.findIndex(entry => "round" in entry && entry.round === 1 && !entry.path) + 1);
  const kept = keptEntries(graph, graph, fold(cut), null);
  const begun = advance(graph, fold([created]), [{ kind: "begin", kept }], around);
  expect(rowsOf([created, ...begun]).rounds).toEqual(["round completed", "round running"]);
});

test("logs which round starts, and older workers leave such runs alone", () => {
  const { journal } = simulate(graph, resultOf);
  const rounds = journal.filter((entry): entry is StepEntry => "round" in entry && !entry.path);
  expect(rounds.map(textOf)).toEqual([
    'Step "outer" begins round 0.',
    'Step "outer" waits until 2026-01-01T00:00:01.000Z to begin round 1.',
    'Step "outer" begins round 1.',
  ]);
  expect(rounds.every(({ needs }) => needs === NEEDS_LOOPS)).toBe(true);
  expect(formatOf(graph)).toBe(NEEDS_LOOPS);
});

test("starts nothing for a disabled trigger inside a map or a loop, and continues with the rest", () => {
  const first = { ...inside("box", node("t", "trigger")), disabled: true };
  const nodes = (type: string, data: object) => [node("box", type, data), first, inside("box", gives("a", 1))];
  const map = graphOf(definition(nodes("map", { items: [] }), "t > a"));
  const items: StepResult = { kind: "iterate", items: [1, 2], concurrency: 1 };
  expect(simulate(map, () => items).state).toMatchObject({ status: "completed", output: [{}, {}] });
  const loop = graphOf(definition(nodes("loop", { until: true }), "t > a"));
  const { state } = simulate(loop, (_id, _attempt, _item, _records, { map: at }) =>
    at?.round ? done("over") : { kind: "round", index: 0, carry: null },
  );
  expect(state).toMatchObject({ status: "completed", output: "over" });
});

test.each([
  ["that nothing ends", { data: { carry: 1 } }, "/nodes/0/data"],
  ["with retries of its own", { data: { while: true }, policy: { retry: { maxAttempts: 3 } } }, "/nodes/0/policy"],
  ["with too many rounds", { data: { while: true, maxIterations: 10_001 } }, "/nodes/0/data/maxIterations"],
  ["that reads a step which does not exist", { data: { until: "{{ steps.nix.a }}" } }, "/nodes/0/data/until"],
])("rejects a loop %s", (_what, made, path) => {
  const faults = checkDefinition({ nodes: [{ id: "loop", type: "loop", ...made }] });
  expect(faults.map(fault => fault.path)).toEqual([path]);
});
