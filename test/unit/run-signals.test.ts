import fc from "fast-check";
import { advance, MAX_TAKEOVERS, type RunInput } from "../../core/run/advance.ts";
import { fold } from "../../core/run/fold.ts";
import { NEEDS_SIGNALS } from "../../core/graph/journal-formats.ts";
import { formatOf } from "../../core/graph/format.ts";
import { eventWaits, expiredWaits, nextWake } from "../../core/run/waits.ts";
import { definition, gives, node } from "../support/definition.ts";
import { created, graphOf, runningSteps } from "../support/simulate-run.ts";

const around = { now: "2026-01-01T00:00:01.000Z", random: 0.5 };
const later = { now: "2026-01-02T00:00:00.000Z", random: 0.5 };

const graph = graphOf(
  definition(
    [
      node("pay", "wait", { event: "paid", key: "7", expiresInMs: 1_000 }),
      gives("ship", "{{ steps.pay }}"),
      gives("late", "late"),
      gives("other", 1),
    ],
    "pay > ship",
    "pay:timeout > late",
  ),
);

const awaits = { kind: "await" as const, awaits: { event: "paid", key: "7" }, until: "2026-01-01T12:00:00.000Z" };
const event = (signalId: string, attempt = 1, nodeId = "pay"): RunInput => ({
  kind: "event",
  event: { nodeId, attempt, signalId, data: { by: signalId }, receivedAt: around.now, source: "signal" },
});
const expiry: RunInput = { kind: "expiry", at: { nodeId: "pay" }, attempt: 1 };

/** The journal of a run whose wait has begun. */
function waiting() {
  const journal = [created];
  const state = fold(journal);
  journal.push(...advance(graph, state, [{ kind: "begin" }], around));
  journal.push(
    ...advance(graph, state, [{ kind: "result", at: { nodeId: "pay" }, result: awaits, durationMs: 1 }], around),
  );
  return { journal, state };
}

test("finds a waiting step by what it waits for, and by the end of its time", () => {
  const { state, journal } = waiting();
  expect(eventWaits(state)).toMatchObject([{ at: { nodeId: "pay" }, node: { awaits: { event: "paid", key: "7" } } }]);
  expect(expiredWaits(state, around.now)).toEqual([]);
  expect(expiredWaits(state, later.now)).toMatchObject([{ at: { nodeId: "pay" } }]);
  expect(eventWaits(fold(journal))).toEqual(eventWaits(state));
});

test("a run that waits for a signal is left to newer workers", () => {
  const { journal } = waiting();
  expect(journal.some(entry => "needs" in entry && entry.needs === NEEDS_SIGNALS)).toBe(true);
  expect(formatOf(graph)).toBe(NEEDS_SIGNALS);
  expect(formatOf(graphOf(definition([gives("a", 1)])))).toBeUndefined();
});

test("fails the run without an edge for the end of the time", () => {
  const bare = graphOf(definition([node("pay", "wait", {})]));
  const state = fold([created]);
  advance(bare, state, [{ kind: "begin" }], around);
  advance(bare, state, [{ kind: "result", at: { nodeId: "pay" }, result: awaits, durationMs: 1 }], around);
  advance(bare, state, [expiry], later);
  expect(state).toMatchObject({ status: "failed", error: { code: "wait_expired", nodeId: "pay" } });
});

const INPUTS: [string, RunInput][] = [
  ["a", event("a")],
  ["b", event("b")],
  ["older attempt", event("old", 0)],
  ["another step", event("x", 1, "other")],
  ["expiry", expiry],
  ["due", { kind: "due", at: { nodeId: "pay" } }],
  ["takeover", { kind: "takeover", lost: true }],
  ["moved", { kind: "takeover", lost: false }],
];
const ENDS = ["a", "b", "expiry"];

test("counts the first end of a wait in any order of events, and folds to the same state", () => {
  const order = fc.array(fc.constantFrom(...INPUTS), { maxLength: 12 });
  fc.assert(
    fc.property(order, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (inputs, cuts) => {
      // A run that loses more workers in a row fails.
      fc.pre(inputs.filter(([name]) => name === "takeover").length <= MAX_TAKEOVERS);
      const { journal } = waiting();
      let state = fold(journal);
      for (const [i, [, input]] of inputs.entries()) {
        // Another worker goes on from what the journal says.
        if (cuts[i]) state = fold(journal);
        journal.push(...advance(graph, state, [input], later));
      }
      for (const { at } of runningSteps(state)) {
        const result = { kind: "done" as const, output: at.nodeId };
        journal.push(...advance(graph, state, [{ kind: "result", at, result, durationMs: 1 }], later));
      }
      const first = inputs.find(([name]) => ENDS.includes(name))?.[0];
      const ended = journal.filter(
        entry => "nodeId" in entry && entry.nodeId === "pay" && entry.event === "step.completed",
      );
      expect(ended).toHaveLength(first === undefined ? 0 : 1);
      if (first === "expiry")
        expect(state.nodes.get("pay")).toMatchObject({ handle: "timeout", output: { data: null } });
      else if (first)
        expect(ended[0]).toMatchObject({ handle: "received", signal: first, output: { data: { by: first } } });
      else expect(nextWake(state)).toBe(awaits.until);
      expect([state.nodes.has("late"), state.nodes.get("late")?.status === "skipped"]).toEqual(
        first === undefined ? [false, false] : [true, first !== "expiry"],
      );
      const folded = fold(journal);
      expect({ ...folded, around: 0 }).toEqual({ ...state, around: 0 });
    }),
    { numRuns: 300 },
  );
});
