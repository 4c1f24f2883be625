import fc from "fast-check";
import { checkDefinition } from "../../core/graph/check-definition.ts";
import { formatOf } from "../../core/graph/format.ts";
import { NEEDS_COMPENSATIONS, NEEDS_INNER_COMPENSATIONS } from "../../core/graph/journal-formats.ts";
import { advance } from "../../core/run/advance.ts";
import { cancelsByUndoing } from "../../core/run/cancel.ts";
import type { JournalEntry, StepEntry } from "../../core/run/entry.ts";
import { keyOf, type NodeState } from "../../core/run/frame.ts";
import { stepsSeenIn } from "../../core/run/seen-steps.ts";
import { fold } from "../../core/run/fold.ts";
import { keptEntries } from "../../core/run/kept-entries.ts";
import { Outline } from "../../core/run/outline/outline.ts";
import { runningFrames } from "../../core/run/undo.ts";
import { definition, gives, node } from "../support/definition.ts";
import { created, graphOf, type Outcome, simulate } from "../support/simulate-run.ts";

const AT_ONCE = { initialMs: 0, maxMs: 0, jitter: 0 };
/** A step and its compensation, on the run's own level or inside a map or loop. */
const undoable = (id: string, parentId?: string) => [
  { ...gives(id, 1), parentId, policy: { compensate: `undo-${id}`, retry: AT_ONCE } },
  { ...gives(`undo-${id}`, 1), parentId, policy: { retry: AT_ONCE } },
];
const ITEMS = ["a", "b", "c"];
const ROUNDS = 3;
const NUMBERS = [1, 2];

/** A saga with a map, whose items run two at a time, and a loop with a map inside it. */
const graph = graphOf(
  definition(
    [
      ...undoable("first"),
      node("map", "map", { items: ITEMS, concurrency: 2 }),
      ...undoable("x", "map"),
      ...undoable("y", "map"),
      node("loop", "loop", { until: false, maxIterations: ROUNDS }),
      ...undoable("z", "loop"),
      node("inner", "map", { items: NUMBERS }, { parentId: "loop" }),
      ...undoable("w", "inner"),
      ...undoable("last"),
      gives("end", 1),
    ],
    ...["first > map", "x > y", "map > loop", "z > inner", "loop > last", "last > end"],
  ),
);

/** Fails the steps that are named, `step` or `step item`. The item of a round is its index. */
const failingAt =
  (...failing: string[]) =>
  (id: string, _attempt: number, item: unknown, _records: unknown, { map }: NodeState): Outcome => {
    if (failing.includes(id) || failing.includes(`${id} ${item as string}`))
      return { kind: "failed", error: { code: "broken", message: "It broke." }, retryable: id.startsWith("undo-") };
    if (id === "map") return { kind: "iterate", items: ITEMS, concurrency: 2 };
    if (id === "inner") return { kind: "iterate", items: NUMBERS, concurrency: 1 };
    if (id !== "loop") return { kind: "done", output: `${id} ${item as string}` };
    const index = map?.round ? map.round.index + 1 : 0;
    if (index < ROUNDS) return { kind: "round", index, carry: index };
    return failing.includes("the loop")
      ? { kind: "failed", error: { code: "broken", message: "It broke." }, retryable: false }
      : { kind: "done", output: index };
  };

const FAILURES = ["end", "x c", "y b", "z 1", "w 2", "the loop"];
const isDone = (entry: JournalEntry): entry is StepEntry => entry.event === "step.completed";
const isContainer = (id: string) => ["map", "loop", "inner", "end"].includes(id);
const addressOf = ({ nodeId = "", path }: StepEntry) => keyOf({ nodeId, path });
const undoingOf = (entry: StepEntry) => addressOf({ ...entry, nodeId: `undo-${entry.nodeId}` });

/** Every finished step, in whichever item or round, was undone once and in reverse order, and no other step was. */
function expectUndone(journal: readonly JournalEntry[], failed: string[] = []): void {
  const steps = journal.filter(isDone).filter(({ nodeId = "" }) => !isContainer(nodeId));
  const finished = steps.filter(({ nodeId = "" }) => !nodeId.startsWith("undo-"));
  const undone = steps.filter(({ nodeId = "" }) => nodeId.startsWith("undo-"));
  const expected = finished.toReversed().map(undoingOf);
  expect(undone.map(addressOf)).toEqual(expected.filter(address => !failed.includes(address)));
  expect(new Set(finished.map(addressOf)).size).toBe(finished.length);
  expect(journal.map(({ seq }) => seq)).toEqual(journal.map((_, seq) => seq));
  expect(journal.at(-2)).toMatchObject({ event: "execution.compensated" });
}

test("undoes steps inside maps and loops once and in reverse order, whichever step fails", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...FAILURES),
      fc.nat(),
      fc.nat(),
      fc.infiniteStream(fc.nat(7)),
      (failing, a, b, picks) => {
        const pick = () => picks.next().value as number;
        let { journal } = simulate(graph, failingAt(failing), { pick });
        for (const cut of [a, b]) {
          expectUndone(journal);
          expect(journal.at(-1)).toMatchObject({ event: "execution.failed", error: { code: "broken" } });
          journal = simulate(graph, failingAt(failing), {
            pick,
            journal: journal.slice(0, 1 + (cut % journal.length)),
          }).journal;
        }
        expectUndone(journal);
      },
    ),
    { numRuns: 150 },
  );
});

test("continues with other compensations after one inside an item fails, from every prefix", () => {
  const failing = failingAt("end", "undo-x b");
  const whole = simulate(graph, failing);
  for (let cut = 1; cut <= whole.journal.length; cut++) {
    const { journal, state } = simulate(graph, failing, { journal: whole.journal.slice(0, cut) });
    expectUndone(journal, [keyOf({ nodeId: "undo-x", path: [{ nodeId: "map", index: 1 }] })]);
    expect(state.compensation).toEqual({
      status: "failed",
      compensated: ["first", "y", "z", "w", "last"],
      failed: ["x"],
    });
  }
});

test("gives a compensation the item, the round and the outputs of its own pass", () => {
  const seen: Record<string, unknown> = {};
  const watching: Parameters<typeof simulate>[1] = (id, ...rest) => failingAt("end")(id, ...rest);
  const whole = simulate(graph, watching).journal;
  for (const [cut, entry] of whole.entries()) {
    if (entry.event !== "step.started" || !entry.nodeId?.startsWith("undo-")) continue;
    const state = fold(whole.slice(0, cut + 1));
    const frame = [...runningFrames(state)].find(({ nodes }) => nodes.get(entry.nodeId ?? "")?.status === "running");
    if (!frame) throw new Error("The compensation does not run.");
    const { x, z, w, map, loop, inner } = stepsSeenIn(frame);
    seen[addressOf(entry)] = JSON.stringify({ x, z, w, map, loop, inner });
  }
  const at = (nodeId: string, ...path: [string, number][]) =>
    JSON.parse(seen[keyOf({ nodeId, path: path.map(([id, index]) => ({ nodeId: id, index })) })] as string) as unknown;
  expect(at("undo-x", ["map", 2])).toMatchObject({ x: "x c", map: { item: "c", index: 2 } });
  expect(at("undo-w", ["loop", 1], ["inner", 1])).toMatchObject({
    ...{ w: "w 2", z: "z 1", loop: { carry: 1, index: 1 }, inner: { item: 2, index: 1 } },
  });
});

test("undoes finished steps in items and rounds of a run that is cancelled at any entry", () => {
  const whole = simulate(graph, failingAt(), { pick: () => 1 }).journal;
  expect(whole.at(-1)).toMatchObject({ event: "execution.completed" });
  for (let cut = 1; cut < whole.length; cut++) {
    const before = whole.slice(0, cut);
    const entry = cancelsByUndoing(graph, fold(before), new Date("2026-01-01T00:00:02.000Z"));
    const hasFinished = before.some(one => isDone(one) && !isContainer(one.nodeId ?? ""));
    expect(entry !== null).toBe(hasFinished);
    if (!entry) continue;
    const { journal, state } = simulate(graph, failingAt(), { journal: [...before, entry] });
    expectUndone(journal);
    expect(state).toMatchObject({ status: "cancelled", compensation: { status: "completed" }, running: 0, frames: 0 });
  }
});

/** The journal of a run that goes on from `former`, and does again what is not kept. */
function retried(former: readonly JournalEntry[], failing: string) {
  const kept = keptEntries(graph, graph, fold(former), null);
  const begun = advance(graph, fold([created]), [{ kind: "begin", kept }], {
    ...{ now: "2026-01-01T00:00:03.000Z", random: 0 },
  });
  return { kept, ...simulate(graph, failingAt(failing), { journal: [created, ...begun] }) };
}

test("undoes kept steps in a retry of a run that undid nothing, also in ended items", () => {
  const whole = simulate(graph, failingAt(), { pick: () => 1 }).journal;
  const end = { event: "execution.cancelled" as const, at: "2026-01-01T00:00:02.000Z" };
  const ended = whole.findIndex(entry => isDone(entry) && entry.nodeId === "end");
  for (let cut = 1; cut <= ended; cut++) {
    const former = [...whole.slice(0, cut), { ...end, seq: cut }];
    const { journal, performed } = retried(former, "end");
    expectUndone(journal);
    const before = whole.slice(0, cut).filter(isDone).map(addressOf);
    const keyed = journal.filter(one => isDone(one) && !("message" in one)).map(one => addressOf(one as StepEntry));
    expect(keyed.filter(address => before.includes(address))).toEqual([]);
    const all = new Set(journal.filter(isDone).map(addressOf));
    expect(before.filter(address => !all.has(address))).toEqual([]);
    expect(performed.get("end")).toBe(1);
  }
});

test("repeats in a retry what was undone in items and rounds", () => {
  for (const failing of FAILURES) {
    const { state, performed } = retried(simulate(graph, failingAt(failing)).journal, "nothing");
    expect(state.status).toBe("completed");
    expect([...performed.keys()].filter(key => /^[xyzw]:/.test(key))).toHaveLength(2 * 3 + 3 + 2 * 3);
  }
});

test("shows compensations in their items in the outline of a run", () => {
  const outline = new Outline();
  const { journal } = simulate(graph, failingAt("end"));
  journal.forEach((entry, append) => outline.add(entry, append));
  const items = outline.root.steps.get("map")?.map?.items;
  expect(items?.get(1)?.level.steps.get("undo-x")).toMatchObject({ status: "completed" });
  const round = outline.root.steps.get("loop")?.map?.items.get(2)?.level.steps;
  expect(round?.get("inner")?.map?.items.get(0)?.level.steps.get("undo-w")).toMatchObject({ status: "completed" });
});

test("a run is left to newer workers if steps inside maps and loops have compensations", () => {
  expect(formatOf(graph)).toBe(NEEDS_INNER_COMPENSATIONS);
  const outside = [...undoable("a"), node("m", "map", { items: [] }), { ...gives("b", 1), parentId: "m" }];
  expect(formatOf(graphOf(definition(outside)))).toBe(NEEDS_COMPENSATIONS);
});

test.each([
  ["that crosses the border of a map", [gives("undo-a", 1), { ...undoable("a", "m")[0], parentId: "m" }]],
  ["inside another compensation", [...undoable("a", "undo-b"), gives("b", 1)]],
])("rejects a compensation %s", (_what, made) => {
  const containers = [node("m", "map", { items: [] }), node("undo-b", "map", { items: [] })];
  const nodes = [...made, ...containers].map(one =>
    (one as { id: string }).id === "b" ? { ...one, policy: { compensate: "undo-b" } } : one,
  );
  const faults = checkDefinition(definition(nodes));
  expect(faults.map(({ nodeId, path }) => [nodeId, path.split("/").slice(-2).join("/")])).toEqual([
    ["a", "policy/compensate"],
  ]);
});
