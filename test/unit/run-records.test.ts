import fc from "fast-check";
import { advance, type RunInput } from "../../core/run/advance.ts";
import type { JournalEntry, StepRecord, StepResult } from "../../core/run/entry.ts";
import { framesWithin } from "../../core/run/frame.ts";
import { keptEntries } from "../../core/run/kept-entries.ts";
import { fold } from "../../core/run/fold.ts";
import type { RunState } from "../../core/run/state.ts";
import { expiredWaits, openQuestions } from "../../core/run/waits.ts";
import { gives } from "../support/definition.ts";
import { created, graphOf, simulate, type Outcome } from "../support/simulate-run.ts";

const around = { now: "2026-01-01T00:00:01.000Z", random: 0.5 };
const broken: StepResult = { kind: "failed", error: { code: "broken", message: "It broke." } };
const step = (id: string, extra: object = {}) => gives(id, id, extra);
const suspension = { nodeId: "a", prompt: "May I?", expiresAt: null };

/** Does its work in this many parts, and ends with what it has kept of them. */
const inParts =
  (parts: number, last: (outputs: unknown[]) => Outcome = output => ({ kind: "done", output })) =>
  (records: readonly StepRecord[]): Outcome =>
    records.length < parts
      ? { kind: "record", output: `part ${records.length}` }
      : last(records.map(({ output }) => output));

const outputsOf = (parts: number) => Array.from({ length: parts }, (_, i) => `part ${i}`);

/** Of the parts of work in a journal, each by its step and its number. */
const partsIn = (journal: JournalEntry[]) =>
  journal.flatMap(entry => {
    if (!("record" in entry) || entry.answers !== undefined) return [];
    return [`${entry.nodeId} ${(entry.path ?? []).map(part => part.index).join()} ${String(entry.output)}`];
  });

const chars = (state: RunState) =>
  [...framesWithin(state)]
    .flatMap(frame => [...frame.nodes.values()])
    .flatMap(({ records }) => records?.list ?? [])
    .reduce((sum, { output }) => sum + JSON.stringify(output).length, 0);

const happen = (state: RunState, graph: ReturnType<typeof graphOf>, ...inputs: RunInput[]) =>
  advance(graph, state, inputs, around);
const result = (made: StepResult): RunInput => ({ kind: "result", at: { nodeId: "a" }, result: made, durationMs: 1 });
const tells = (output: unknown, attempt = 1): RunInput => ({
  kind: "report",
  report: { nodeId: "a", attempt, message: "A part is done.", output, kept: true },
});
const recordsOf = (state: RunState) => state.nodes.get("a")?.records?.list;

describe("the records of a step", () => {
  const mapOf = (size: number) =>
    graphOf({
      nodes: [
        { id: "m", type: "map", data: { items: [], concurrency: 2 } },
        step("in", { parentId: "m", policy: { retry: { maxAttempts: 3, initialMs: 0 } } }),
        step("a"),
      ],
      edges: [],
      size,
    });

  test("are kept whenever a worker is lost, in items too, and no part is done twice", () => {
    fc.assert(
      fc.property(
        fc.nat(3),
        fc.nat(4),
        fc.array(fc.nat(), { maxLength: 3 }),
        fc.infiniteStream(fc.nat(9)),
        (items, parts, cuts, picks) => {
          const graph = mapOf(items);
          const outcome = (id: string, _attempt: number, _item: unknown, records: readonly StepRecord[]): Outcome =>
            id === "m"
              ? { kind: "iterate", items: Array.from({ length: items }, (_, i) => i), concurrency: 2 }
              : inParts(parts)(records);
          const pick = () => picks.next().value as number;
          let journal: JournalEntry[] = [created];
          for (const cut of cuts) {
            const run = simulate(graph, outcome, { journal, pick });
            // What was on disk when the worker was lost.
            journal = run.journal.slice(0, journal.length + (cut % (run.journal.length - journal.length + 1)));
          }
          const { state, journal: whole } = simulate(graph, outcome, { journal, pick });
          expect(state.status).toBe("completed");
          expect(state.output).toEqual({ a: outputsOf(parts), m: new Array(items).fill(outputsOf(parts)) });
          const done = partsIn(whole);
          expect(done).toHaveLength(new Set(done).size);
          expect(done).toHaveLength((items + 1) * parts);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("are available to the next attempt and to a retry, and removed once the step has ended", () => {
    const graph = graphOf({ nodes: [step("a", { policy: { retry: { maxAttempts: 2, initialMs: 0 } } }), step("b")] });
    let failures = 3;
    const outcome = (id: string, _attempt: number, _item: unknown, records: readonly StepRecord[]): Outcome => {
      if (id === "b") return { kind: "done", output: "b" };
      return inParts(2, output => (failures-- > 0 ? broken : { kind: "done", output }))(records);
    };
    const failed = simulate(graph, outcome);
    expect(failed.state.status).toBe("failed");
    expect(failed.recorded.get("a")).toBe(2);
    expect(failed.performed.get("a")).toBe(2);

    const state = fold([created]);
    const begun = advance(
      graph,
      state,
      [{ kind: "begin", kept: keptEntries(graph, graph, failed.state, null) }],
      around,
    );
    const again = simulate(graph, outcome, { journal: [created, ...begun] });
    expect(again.recorded.size).toBe(0);
    expect(again.state).toMatchObject({ status: "completed", output: { a: outputsOf(2), b: "b" }, recordChars: 0 });
    expect(again.state.nodes.get("a")?.records).toBeUndefined();
    expect(keptEntries(graph, graph, failed.state, "a").filter(entry => entry.nodeId === "a")).toEqual([]);
  });

  test("are counted with their size at every point", () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(3), fc.nat(200), fc.infiniteStream(fc.nat(9)), (items, parts, cut, picks) => {
        const graph = mapOf(items);
        const { journal } = simulate(
          graph,
          (id, _attempt, _item, records) =>
            id === "m"
              ? { kind: "iterate", items: Array.from({ length: items }, (_, i) => i), concurrency: 2 }
              : inParts(parts)(records),
          { pick: () => picks.next().value as number },
        );
        const state = fold(journal.slice(0, 1 + (cut % journal.length)));
        expect(state.recordChars).toBe(chars(state));
      }),
      { numRuns: 200 },
    );
  });

  test("are not accepted from an ended attempt or a waiting step", () => {
    const graph = graphOf({ nodes: [step("a")] });
    const state = fold([created]);
    happen(state, graph, { kind: "begin" });
    happen(state, graph, { kind: "takeover", lost: true });
    expect(happen(state, graph, tells(1, 1))).toEqual([]);
    expect(happen(state, graph, tells(2, 2))).toMatchObject([{ event: "step.log", record: true, output: 2 }]);
    happen(state, graph, result({ kind: "ask", suspension, question: "q" }));
    expect(happen(state, graph, tells(3, 2))).toEqual([]);
    expect(recordsOf(state)).toEqual([{ output: 2 }]);
  });

  test.each([
    ["output_too_large", 1, "x".repeat(300_000)],
    ["records_full", 10, "x".repeat(260_000)],
    ["records_full", 2_001, 1],
  ])("fail the step with %s if they exceed the limit", (code, times, output) => {
    const graph = graphOf({ nodes: [step("a", { policy: { retry: { maxAttempts: 5 } } })] });
    const state = fold([created]);
    happen(state, graph, { kind: "begin" });
    for (let i = 0; i < times && state.status === "running"; i++) happen(state, graph, tells(output));
    expect(state.error).toMatchObject({ code, nodeId: "a" });
  });

  test("let the run continue if workers are lost again and again while the step makes progress", () => {
    const graph = graphOf({ nodes: [step("a")] });
    const state = fold([created]);
    happen(state, graph, { kind: "begin" });
    for (let n = 1; n < 20; n++) happen(state, graph, tells(n, n), { kind: "takeover", lost: true });
    expect(state.status).toBe("running");
    expect(recordsOf(state)).toHaveLength(19);
  });
});

describe("a step that asks a question between its records", () => {
  const asked = (expiresAt: string | null = null) => {
    const graph = graphOf({ nodes: [step("a")] });
    const state = fold([created]);
    const journal = [created, ...happen(state, graph, { kind: "begin" })];
    const asks: StepResult = { kind: "ask", suspension: { ...suspension, expiresAt }, question: "first" };
    journal.push(...happen(state, graph, tells("before"), result(asks)));
    return { graph, state, journal };
  };
  const answer = (attempt: number, data: unknown): RunInput => ({
    kind: "answer",
    answer: { nodeId: "a", attempt, approved: true, data, respondedBy: "me", respondedAt: around.now },
  });

  test("suspends the run, and continues with the answer among its records", () => {
    const { graph, state, journal } = asked();
    expect(state.status).toBe("suspended");
    expect([...openQuestions(state)].map(({ suspension: { prompt } }) => prompt)).toEqual(["May I?"]);
    const entries = happen(state, graph, answer(1, { why: "so" }));
    expect(entries.map(({ event }) => event)).toEqual(["execution.resumed", "step.log", "step.started"]);
    const output = { approved: true, data: { why: "so" }, respondedBy: "me", respondedAt: around.now };
    expect(recordsOf(state)).toEqual([{ output: "before" }, { output, answers: "first" }]);
    expect(state.nodes.get("a")).toMatchObject({ status: "running", attempt: 2, failures: 0 });
    expect(recordsOf(fold([...journal, ...entries]))).toEqual(recordsOf(state));
  });

  test("may ask again, and an answer to the earlier question does not count", () => {
    const { graph, state } = asked();
    happen(state, graph, answer(1, 1), result({ kind: "ask", suspension, question: "second" }));
    expect(state.status).toBe("suspended");
    expect(happen(state, graph, answer(1, 1))).toEqual([]);
    happen(state, graph, answer(2, 2));
    expect(recordsOf(state)?.map(({ answers }) => answers)).toEqual([undefined, "first", "second"]);
  });

  test("continues without an answer when the time is over", () => {
    const { graph, state } = asked("2026-01-01T00:00:00.500Z");
    const [late] = expiredWaits(state, around.now);
    happen(state, graph, { kind: "expiry", at: late!.at, attempt: late!.node.attempt });
    const output = { approved: false, data: null, respondedBy: null, respondedAt: null };
    expect(recordsOf(state)?.[1]).toEqual({ output, answers: "first" });
    expect(state.nodes.get("a")?.status).toBe("running");
  });

  test("asks again in a retry of the run that was cancelled meanwhile, with its earlier records", () => {
    const { graph, state } = asked();
    const again = fold([created]);
    advance(graph, again, [{ kind: "begin", kept: keptEntries(graph, graph, state, null) }], around);
    expect(recordsOf(again)).toEqual([{ output: "before" }]);
    expect(again.nodes.get("a")).toMatchObject({ status: "running", attempt: 1 });
  });
});
