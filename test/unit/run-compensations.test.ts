import fc from "fast-check";
import { checkDefinition } from "../../core/graph/check-definition.ts";
import { formatOf } from "../../core/graph/format.ts";
import { NEEDS_COMPENSATIONS } from "../../core/graph/journal-formats.ts";
import { advance } from "../../core/run/advance.ts";
import { cancelsByUndoing, cancelsUndoing } from "../../core/run/cancel.ts";
import type { JournalEntry, StepEntry, StepResult } from "../../core/run/entry.ts";
import { COMPENSATION_ATTEMPTS } from "../../core/run/fail-step.ts";
import { fold } from "../../core/run/fold.ts";
import { keptEntries } from "../../core/run/kept-entries.ts";
import { definition, gives, node } from "../support/definition.ts";
import { created, graphOf, simulate } from "../support/simulate-run.ts";

const STEPS = 8;
const ids = Array.from({ length: STEPS }, (_, n) => `s${n}`);
const undoing = (id: string) => `undo-${id}`;

/** A saga of eight steps, two of which run beside the others, each with a compensation. */
const nodes = ids.flatMap(id => [
  { ...gives(id, 1), policy: { compensate: undoing(id), retry: { initialMs: 0, maxMs: 0, jitter: 0 } } },
  { ...gives(undoing(id), 1), policy: { retry: { initialMs: 0, maxMs: 0, jitter: 0 } } },
]);
const graph = graphOf(
  definition(nodes, "s0 > s1", "s1 > s2", "s0 > s3", "s3 > s4", "s2 > s5", "s4 > s5", "s5 > s6", "s6 > s7"),
);
const broken: StepResult = { kind: "failed", error: { code: "broken", message: "It broke." } };

const failingAt =
  (...failing: string[]) =>
  (id: string): StepResult =>
    failing.includes(id) ? broken : { kind: "done", output: `${id} done` };

const completed = (journal: readonly JournalEntry[]) =>
  journal.filter((entry): entry is StepEntry => entry.event === "step.completed").map(({ nodeId = "" }) => nodeId);

/** Every finished step was undone once and in reverse order, no other step was, and the journal is whole. */
function expectUndone(journal: readonly JournalEntry[], failed: string[] = []): void {
  const all = completed(journal);
  const finished = all.filter(id => ids.includes(id));
  const undone = all.filter(id => !ids.includes(id));
  const expected = finished.toReversed().filter(id => !failed.includes(undoing(id)));
  expect(undone).toEqual(expected.map(undoing));
  expect(journal.map(({ seq }) => seq)).toEqual(journal.map((_, seq) => seq));
  const [last, outcome] = [journal.at(-1), journal.at(-2)];
  expect(last).toMatchObject({ event: "execution.failed", error: { code: "broken" } });
  if (finished.length > 0) expect(outcome).toMatchObject({ event: "execution.compensated" });
}

test("undoes finished steps once and in reverse order, whichever step fails and wherever workers are lost", () => {
  fc.assert(
    fc.property(fc.constantFrom(...ids), fc.nat(), fc.nat(), fc.infiniteStream(fc.nat(7)), (failing, a, b, picks) => {
      const pick = () => picks.next().value as number;
      const whole = simulate(graph, failingAt(failing), { pick });
      expectUndone(whole.journal);
      const once = simulate(graph, failingAt(failing), {
        pick,
        journal: whole.journal.slice(0, 1 + (a % whole.journal.length)),
      });
      expectUndone(once.journal);
      const twice = simulate(graph, failingAt(failing), {
        pick,
        journal: once.journal.slice(0, 1 + (b % once.journal.length)),
      });
      expectUndone(twice.journal);
    }),
    { numRuns: 200 },
  );
});

test("continues with other compensations after one fails, from every prefix of the journal, and says so", () => {
  const failing = failingAt("s7", "undo-s4");
  const whole = simulate(graph, failing);
  for (let cut = 1; cut <= whole.journal.length; cut++) {
    const { journal, state } = simulate(graph, failing, { journal: whole.journal.slice(0, cut) });
    expectUndone(journal, ["undo-s4"]);
    expect(state.compensation).toEqual({
      status: "failed",
      compensated: ["s0", "s1", "s2", "s3", "s5", "s6"],
      failed: ["s4"],
    });
    expect(state.nodes.get("undo-s4")?.attempt).toBeGreaterThanOrEqual(COMPENSATION_ATTEMPTS);
  }
});

test("gives a compensation the output of its step, and allows a map as one", () => {
  const mapped = graphOf(
    definition(
      [
        { ...gives("book", 1), policy: { compensate: "cancel" } },
        node("cancel", "map", { items: "{{ steps.book }}" }),
        { ...gives("one", 1), parentId: "cancel" },
        node("stop", "fail", { message: "x" }),
      ],
      "book > stop",
    ),
  );
  const seen: unknown[] = [];
  const { state } = simulate(mapped, (id, _attempt, item) => {
    if (id === "one") seen.push(item);
    if (id === "cancel") return { kind: "iterate", items: ["a", "b"], concurrency: 1 };
    return id === "stop" ? broken : { kind: "done", output: id };
  });
  expect(seen).toEqual(["a", "b"]);
  expect(state).toMatchObject({ status: "failed", compensation: { status: "completed", compensated: ["book"] } });
});

test("runs no compensation without a failure, and older workers leave such runs alone", () => {
  const { state, journal } = simulate(graph, failingAt());
  expect(state).toMatchObject({ status: "completed", output: "s7 done", compensation: null });
  expect(completed(journal).sort()).toEqual(ids);
  expect(formatOf(graph)).toBe(NEEDS_COMPENSATIONS);
});

test("repeats undone steps in a retry", () => {
  const failed = simulate(graph, failingAt("s6")).state;
  const kept = keptEntries(graph, graph, failed, null);
  const begun = advance(graph, fold([created]), [{ kind: "begin", kept }], {
    now: "2026-01-01T00:00:01.000Z",
    random: 0,
  });
  const again = simulate(graph, failingAt(), { journal: [created, ...begun] });
  expect(again.state.status).toBe("completed");
  expect([...again.performed.keys()].sort()).toEqual(ids);
});

const step = (id: string, compensate?: string) => ({ ...gives(id, 1), ...(compensate && { policy: { compensate } }) });
test.each([
  ["that does not exist", [step("a", "b")], []],
  ["that is the step itself", [step("a", "a")], []],
  ["that an edge leads to", [step("a", "b"), step("b")], ["a > b"]],
  ["that has one itself", [step("a", "b"), step("b", "c"), step("c")], []],
  ["inside a map", [step("a", "b"), node("m", "map", { items: [] }), { ...step("b"), parentId: "m" }], []],
])("rejects a compensation %s", (_what, made, edges) => {
  const faults = checkDefinition(definition(made, ...edges));
  expect(faults.map(({ path }) => path)).toEqual(["/nodes/0/policy/compensate"]);
});

/** Cancels at an entry of a journal, as a request does while the run goes on, and lets the run undo what it has done. */
function cancelledAt(journal: readonly JournalEntry[], cut: number, pick = () => 0) {
  const before = journal.slice(0, cut);
  const entry = cancelsByUndoing(graph, fold(before), new Date("2026-01-01T00:00:02.000Z"));
  return entry && simulate(graph, failingAt(), { pick, journal: [...before, entry] });
}

test("undoes finished steps of a run that is cancelled at any entry, and ends it as cancelled", () => {
  const whole = simulate(graph, failingAt(), { pick: () => 1 }).journal;
  for (let cut = 1; cut < whole.length; cut++) {
    const finished = completed(whole.slice(0, cut));
    const run = cancelledAt(whole, cut);
    if (finished.length === 0) {
      expect(run).toBeNull();
      continue;
    }
    expect(run!.journal.at(-1)).toMatchObject({ event: "execution.cancelled" });
    expect(run!.state).toMatchObject({ status: "cancelled", error: null, compensation: { status: "completed" } });
    expect(completed(run!.journal).slice(finished.length)).toEqual(finished.toReversed().map(undoing));
    for (let again = cut + 1; again <= run!.journal.length; again++) {
      const { journal } = simulate(graph, failingAt(), { journal: run!.journal.slice(0, again) });
      expect(completed(journal)).toEqual(completed(run!.journal));
    }
  }
});

test("says what is left if a run is cancelled while it undoes its steps", () => {
  const whole = simulate(graph, failingAt()).journal;
  const { journal } = cancelledAt(whole, whole.length - 1)!;
  const undone = journal.findIndex(entry => "nodeId" in entry && entry.nodeId === undoing("s6")) + 2;
  const before = journal.slice(0, undone);
  const end = cancelsUndoing(graph, fold(before), new Date("2026-01-01T00:00:03.000Z"));
  const { status, compensation } = fold([...before, end]);
  expect(status).toBe("cancelled");
  expect(compensation).toMatchObject({ status: "failed", compensated: ["s6", "s7"] });
  expect([...compensation!.failed].sort()).toEqual(["s0", "s1", "s2", "s3", "s4", "s5"]);
});
