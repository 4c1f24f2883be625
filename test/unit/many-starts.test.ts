import type { JournalEntry } from "../../core/run/entry.ts";
import { fold } from "../../core/run/fold.ts";
import { emptyState } from "../../core/run/state.ts";
import { type PerformedRun, Performing } from "../../services/executions/engine/performing.ts";
import { hurrying, turnsDuring } from "../support/turns.ts";

afterEach(() => void jest.restoreAllMocks());

it("a run that starts many steps at once gives turns between them", async () => {
  const at = "2026-01-01T00:00:00.000Z";
  const nodeIds = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const starts = nodeIds.map((nodeId, i) => ({ seq: i + 2, event: "step.started", at, nodeId, attempt: 1 }) as const);
  const before = [
    { seq: 0, event: "execution.created", at, input: null, trigger: { type: "manual" } },
    { seq: 1, event: "execution.started", at },
  ];
  const state = emptyState();
  fold([...before, ...starts] as JournalEntry[], state);
  let performed = 0;
  const parts = { isStopping: () => ++performed > 0 };
  jest.spyOn(performance, "now").mockImplementation(hurrying());
  const performing = new Performing({ state, parts, graph: { byId: new Map() } } as unknown as PerformedRun);
  expect(await turnsDuring(performing.launch(starts))).toBeGreaterThanOrEqual(nodeIds.length);
  expect(performed).toBe(nodeIds.length);
});
