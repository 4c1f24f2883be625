import type { WorkflowGraph } from "../../core/graph/graph.ts";
import { parseDefinition } from "../../core/graph/parse-definition.ts";
import { advance, type RunInput } from "../../core/run/advance.ts";
import { addressIn, type Address, type NodeState } from "../../core/run/frame.ts";
import { dueSteps, expiredWaits } from "../../core/run/waits.ts";
import type { JournalEntry, StepRecord, StepResult } from "../../core/run/entry.ts";
import { fold } from "../../core/run/fold.ts";
import { isFinal, type RunState } from "../../core/run/state.ts";
import { runningFrames } from "../../core/run/undo.ts";

export interface Simulated {
  journal: JournalEntry[];
  state: RunState;
  /** How often each step was completed, by node id, and for an item of a map by `<node id>:<index>…`. */
  performed: Map<string, number>;
  /** The number of records of each step, by the same names. */
  recorded: Map<string, number>;
}

/** The outcome of a step: a finished part of its work, or its result. */
export type Outcome = StepResult | { kind: "record"; output: unknown };

export function graphOf(definition: unknown): WorkflowGraph {
  const { graph, faults } = parseDefinition(definition);
  if (!graph) throw new Error(JSON.stringify(faults));
  return graph;
}

export const created: JournalEntry = {
  seq: 0,
  event: "execution.created",
  at: "2026-01-01T00:00:00.000Z",
  input: { n: 1 },
  trigger: { type: "manual" },
};

const around = { now: "2026-01-01T00:00:01.000Z", random: 0.5 };
const MAX_TURNS = 10_000;

/** The running steps on all levels. */
export function runningSteps(state: RunState): { at: Address; node: NodeState; item: unknown }[] {
  const found = [];
  for (const frame of runningFrames(state)) {
    for (const [nodeId, node] of frame.nodes)
      if (node.status === "running") found.push({ at: addressIn(frame, nodeId), node, item: frame.item });
  }
  return found;
}

/**
 * Drives a run in memory, one result per turn. `pick` selects the running step that ends next. `journal` is the journal
 * of a previous worker.
 */
export function simulate(
  graph: WorkflowGraph,
  resultOf: (
    nodeId: string,
    attempt: number,
    item: unknown,
    records: readonly StepRecord[],
    node: NodeState,
  ) => Outcome,
  { journal = [created], pick = () => 0 }: { journal?: JournalEntry[]; pick?: (count: number) => number } = {},
): Simulated {
  const written = [...journal];
  const state = fold(written);
  const performed = new Map<string, number>();
  const recorded = new Map<string, number>();
  let inputs: RunInput[] = isFinal(state.status)
    ? []
    : [state.startedAt ? { kind: "takeover", lost: true } : { kind: "begin" }];
  for (let turn = 0; turn < MAX_TURNS && !isFinal(state.status); turn++) {
    written.push(...advance(graph, state, inputs, around));
    const running = runningSteps(state);
    const chosen = running[pick(running.length) % running.length];
    if (!chosen) {
      const late = expiredWaits(state, around.now).map(({ at, node }) => ({ at, attempt: node.attempt }));
      inputs = [
        ...dueSteps(state, around.now).map(at => ({ kind: "due" as const, at })),
        ...late.map(question => ({ kind: "expiry" as const, ...question })),
      ];
      if (inputs.length === 0) break;
      continue;
    }
    const { at, node, item } = chosen;
    const key = [at.nodeId, ...(at.path ?? []).map(part => part.index)].join(":");
    const result = resultOf(at.nodeId, node.failures + 1, item, node.records?.list ?? [], node);
    const counts = result.kind === "record" ? recorded : performed;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    inputs = [
      result.kind === "record"
        ? { kind: "report", report: { ...at, attempt: node.attempt, message: "", output: result.output, kept: true } }
        : { kind: "result", at, result, durationMs: 1 },
    ];
  }
  return { journal: written, state, performed, recorded };
}
