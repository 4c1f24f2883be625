import { type ExecutionStep, MAX_PREVIEW } from "../../contracts/entities/execution-step.ts";
import type { JournalEntry, StepResult } from "../../core/run/entry.ts";
import { framesWithin } from "../../core/run/frame.ts";
import { fold } from "../../core/run/fold.ts";
import { levelAt } from "../../core/run/outline/facts.ts";
import { Outline } from "../../core/run/outline/outline.ts";
import { type Rows, rowsUnder, stepStatusOf, type Under } from "../../core/run/outline/rows.ts";
import { keptEntries } from "../../core/run/kept-entries.ts";
import { node } from "../support/definition.ts";
import { created, graphOf, type Outcome, simulate } from "../support/simulate-run.ts";

const done = (output: unknown): StepResult => ({ kind: "done", output });
const broken: StepResult = { kind: "failed", error: { code: "broken", message: "It broke." } };

function outlineOf(journal: readonly JournalEntry[]): Outline {
  const outline = new Outline();
  for (const entry of journal) outline.add(entry, entry.seq);
  return outline;
}

const all = ({ count, rowAt }: Rows): ExecutionStep[] => Array.from({ length: count }, (_, place) => rowAt(place));
const brief = (rows: ExecutionStep[]) => rows.map(({ nodeId, status }) => `${nodeId} ${status}`);

const each = (more: object = {}) => node("each", "map", { items: "{{ input }}", concurrency: 2 }, more);
const inside = (id: string, parentId: string, more: object = {}) =>
  node(id, "transform", { value: 1 }, { parentId, ...more });
const onward = { policy: { onError: "continue" } };

/** A step before a map, in which a map runs again, and a step behind it. The definition has the last step first. */
const graph = graphOf({
  nodes: [
    node("last", "transform", { value: 1 }),
    node("first", "transform", { value: 1 }),
    each(),
    inside("a", "each", onward),
    node("inner", "map", { items: [1], concurrency: 1 }, { parentId: "each" }),
    inside("b", "inner", onward),
  ],
  edges: [
    { source: "first", target: "each" },
    { source: "each", target: "last" },
    { source: "a", target: "inner" },
  ],
});

const items: StepResult = { kind: "iterate", items: ["x", "y", "z"], concurrency: 2 };
const innerItems: StepResult = { kind: "iterate", items: [1, 2], concurrency: 1 };

/** Item 1 fails in its own step, item 2 in the map inside; both failures are handled. */
function resultOf(nodeId: string, _attempt: number, item: unknown): Outcome {
  if (nodeId === "each") return items;
  if (nodeId === "inner") return innerItems;
  if (nodeId === "a") return item === "y" ? broken : done({ a: item });
  return nodeId === "b" && item === 2 ? broken : done(nodeId);
}

describe("the outline of a finished run", () => {
  const { journal } = simulate(graph, resultOf);
  const outline = outlineOf(journal);
  const rows = (...under: Under) => all(rowsUnder(outline, graph, under));

  it("lists the steps in the order in which they can run", () => {
    expect(brief(rows())).toEqual(["first completed", "each completed", "last completed"]);
  });

  it("counts an item with a failed step as failed, even if the failure was handled below", () => {
    expect(rows()[1]!.items).toEqual({ total: 3, completed: 0, failed: 3, running: 0 });
    expect(rows({ nodeId: "each", index: 0 })[1]!.items).toEqual({ total: 2, completed: 1, failed: 1, running: 0 });
  });

  it("keeps the items and their steps, which the engine forgets", () => {
    const found = rows({ nodeId: "each" });
    expect(found.map(({ type, path, status }) => [type, path, status])).toEqual(
      [0, 1, 2].map(index => ["item", [{ nodeId: "each", index }], "failed"]),
    );
    expect(found[1]!.error).toMatchObject({ code: "broken", nodeId: "a" });
    expect(brief(rows({ nodeId: "each", index: 1 }))).toEqual(["a failed", "inner completed"]);
    const path = [{ nodeId: "each", index: 0 }];
    expect(rows(...path)[0]).toMatchObject({ path, preview: '{"a":"x"}', outputBytes: 9, attempt: 1 });
    expect(brief(rows(...path, { nodeId: "inner", index: 1 }))).toEqual(["b failed"]);
  });

  it("lists nothing under a place that the run does not have", () => {
    for (const under of [
      [{ nodeId: "each", index: 3 }],
      [{ nodeId: "first" }],
      [{ nodeId: "first", index: 0 }],
      [{ nodeId: "__proto__", index: 0 }],
      [{ nodeId: "each", index: 0 }, { nodeId: "each" }],
    ])
      expect(rows(...under)).toEqual([]);
  });

  it("lists what the journal names if the version no longer exists", () => {
    const names = all(rowsUnder(outline, undefined, [])).map(({ nodeId, type }) => [nodeId, type]);
    expect(names).toEqual([
      ["first", null],
      ["each", null],
      ["last", null],
    ]);
  });
});

it("has the states of the engine's fold after each entry", () => {
  let picked = 0;
  const { journal } = simulate(graph, resultOf, { pick: count => ++picked % count });
  const outline = new Outline();
  journal.forEach((entry, i) => {
    outline.add(entry, entry.seq);
    const state = fold(structuredClone(journal.slice(0, i + 1)));
    for (const frame of framesWithin(state)) {
      const steps = levelAt(outline.root, frame.path)?.steps;
      const states = [...frame.nodes].map(([id, { status, attempt }]) => [id, status, attempt]);
      expect(states.map(([id]) => [id, steps?.get(String(id))?.status, steps?.get(String(id))?.attempt])).toEqual(
        states,
      );
    }
  });
  expect(outline.seq).toBe(journal.length - 1);
});

describe("a run that is cut off", () => {
  const fails = graphOf({
    nodes: [each(), inside("a", "each"), inside("b", "each"), node("last", "transform", { value: 1 })],
    edges: [
      { source: "a", target: "b" },
      { source: "each", target: "last" },
    ],
  });
  const { journal, state } = simulate(
    fails,
    (nodeId, _, item) =>
      nodeId === "each" ? items : item === "y" && nodeId === "a" ? broken : done("x".repeat(5_000)),
    { pick: () => 1 },
  );
  const outline = outlineOf(journal);
  const rows = (...under: Under) => all(rowsUnder(outline, fails, under));

  it("has cancelled running steps, and leaves the others pending", () => {
    expect(state.status).toBe("failed");
    expect(brief(rows())).toEqual(["each cancelled", "last pending"]);
    expect(rows()[0]!.items).toEqual({ total: 3, completed: 0, failed: 1, running: 0 });
    expect(brief(rows({ nodeId: "each" }))).toEqual(["each cancelled", "each failed", "each pending"]);
    expect(brief(rows({ nodeId: "each", index: 1 }))).toEqual(["a failed", "b pending"]);
  });

  it("shows the beginning of an output", () => {
    const finished = simulate(fails, nodeId => (nodeId === "each" ? items : done("x".repeat(5_000))));
    const [a] = all(rowsUnder(outlineOf(finished.journal), fails, [{ nodeId: "each", index: 0 }]));
    expect([a!.outputBytes, a!.preview!.length]).toEqual([5_002, MAX_PREVIEW.inside]);
  });

  it("is kept by the run that retries it, with the items that had ended", () => {
    const before = simulate(fails, (nodeId, _, item) =>
      nodeId === "each" ? items : item === "z" ? broken : done(item),
    );
    const kept = keptEntries(fails, fails, before.state, null);
    const retried = [created, { seq: 1, at: created.at, event: "execution.started" as const }];
    const journal = [
      ...retried,
      ...kept.map((entry, i) => ({ seq: i + 2, at: created.at, ...entry })),
    ] as JournalEntry[];
    const again = rowsUnder(outlineOf(journal), fails, [{ nodeId: "each" }]);
    expect(brief(all(again))).toEqual(["each completed", "each completed", "each pending"]);
    expect(all(again)[0]).toMatchObject({ preview: '"x"', outputBytes: 3, startedAt: null });
  });
});

it("shows an agent's turns with the outcome of each call", () => {
  const agent = graphOf({ nodes: [node("agent", "agent", { goal: "g" })], edges: [] });
  const usage = { inputTokens: 3, outputTokens: 4 };
  const calls = ["c1", "c2", "c3"].map(callId => ({ callId, name: "find", arguments: { q: "x".repeat(500) } }));
  const records: unknown[] = [
    { tools: [] },
    { turn: 1, text: "Let me look.", calls, usage, key: "k" },
    { turn: 1, callId: "c1", tool: "find", result: "found" },
    { turn: 1, callId: "c2", tool: "find", error: "No.", approved: false },
  ];
  const { journal } = simulate(agent, (_, __, ___, kept) => {
    if (kept.length < records.length) return { kind: "record", output: records[kept.length] };
    return { kind: "ask", question: "q", suspension: { nodeId: "agent", prompt: "?", expiresAt: null } };
  });
  const [row] = all(rowsUnder(outlineOf(journal), agent, []));
  expect(row).toMatchObject({ status: "waiting", waitsFor: "answer" });
  expect(row!.turns).toMatchObject([
    {
      turn: 1,
      text: "Let me look.",
      ...usage,
      calls: [
        { callId: "c1", status: "completed", result: "found" },
        { callId: "c2", status: "refused", approved: false, result: "No." },
        { callId: "c3", status: "open", result: null, finishedAt: null },
      ],
    },
  ]);
  expect(row!.turns![0]!.calls[0]!.arguments).toHaveLength(MAX_PREVIEW.inside);
});

it("lists compensations after the other steps, in the order in which they undo", () => {
  const undone = (id: string) => node(id, "transform", { value: 1 }, { policy: { compensate: `undo ${id}` } });
  const saga = graphOf({
    nodes: [
      ...[node("undo a", "transform", { value: 1 }), node("undo b", "transform", { value: 1 })],
      ...[undone("a"), undone("b"), node("end", "transform", { value: 1 })],
    ],
    edges: [
      { source: "a", target: "b" },
      { source: "b", target: "end" },
    ],
  });
  const outline = outlineOf(simulate(saga, nodeId => done(nodeId)).journal);
  expect(all(rowsUnder(outline, saga, [])).map(({ nodeId }) => nodeId)).toEqual(["a", "b", "end", "undo b", "undo a"]);
});

it("continues with a step that is retried, and shows the error of the last attempt", () => {
  const retried = graphOf({
    nodes: [node("a", "transform", { value: 1 }, { policy: { retry: { maxAttempts: 3, initialMs: 1 } } })],
    edges: [],
  });
  const { journal } = simulate(retried, () => broken);
  const outline = outlineOf(journal);
  expect(all(rowsUnder(outline, retried, []))[0]).toMatchObject({
    status: "waiting",
    waitsFor: "retry",
    attempt: 1,
    attempts: 3,
    error: { code: "broken" },
  });
  expect(stepStatusOf(outline.root.steps.get("a"), true)).toBe("cancelled");
});
