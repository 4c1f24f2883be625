import { STEP_TIMEOUT, type StepEntry, type StepRecord } from "./entry.ts";
import { addressIn, isPast, keyOf, mapOf, type Frame, type MapState, type NodeState, type Records } from "./frame.ts";
import { frameOf } from "./entry-frame.ts";
import { endPass, giveUpChild, putNode } from "./put-node.ts";
import { takeOutput } from "./seen-steps.ts";
import type { RunState } from "./state.ts";

const SETTLED = { "step.completed": "completed", "step.failed": "failed", "step.skipped": "skipped" } as const;

function settle(state: RunState, frame: Frame, entry: StepEntry, nodeId: string, status: NodeState["status"]): void {
  const before = frame.nodes.get(nodeId);
  state.takeovers = 0;
  if (entry.undoable) state.undoables++;
  // If the failure ends the run, a retry continues with the records of the step, or with the round of the loop.
  const isRetried = status === "failed" && entry.handle === undefined && !state.undoing;
  putNode(state, frame, nodeId, {
    status,
    attempt: before?.attempt ?? 0,
    failures: before?.failures ?? 0,
    startedAt: before?.startedAt ?? entry.at,
    output: entry.output,
    handle: entry.handle ?? null,
    error: entry.error,
    child: before?.child,
    ...(status === "completed" && { completedAt: entry.seq }),
    ...(entry.undoable && { undoable: true }),
    ...(entry.signal !== undefined && { signal: entry.signal }),
    ...(isRetried && before?.records && { records: before.records }),
    ...(isRetried && before?.map?.round && { map: before.map }),
  });
  if (status !== "skipped") takeOutput(frame, nodeId, entry.output);
}

function wait(
  state: RunState,
  frame: Frame,
  entry: StepEntry,
  nodeId: string,
  waitsFor: NonNullable<NodeState["waitsFor"]>,
): void {
  const before = frame.nodes.get(nodeId);
  putNode(state, frame, nodeId, {
    status: "waiting",
    attempt: before?.attempt ?? 1,
    failures: (before?.failures ?? 0) + Number(waitsFor === "retry"),
    startedAt: before?.startedAt ?? entry.at,
    output: entry.output,
    handle: null,
    until: entry.until,
    suspension: entry.suspension,
    waitsFor,
    ...(entry.awaits && { awaits: entry.awaits }),
    ...(before?.began && { began: before.began }),
    child: entry.child ?? before?.child,
    ...(entry.question !== undefined && { question: entry.question }),
    ...(before?.records && { records: before.records }),
    // A loop that is retried continues in its round.
    ...(waitsFor === "retry" && before?.map?.round && { map: before.map }),
  });
}

function start(state: RunState, frame: Frame, entry: StepEntry, nodeId: string): void {
  const before = frame.nodes.get(nodeId);
  // Each evaluation of a loop has its own start time.
  const isAgain = before && before.status !== "iterating";
  putNode(state, frame, nodeId, {
    status: "running",
    attempt: entry.attempt ?? 1,
    failures: before?.failures ?? 0,
    startedAt: entry.at,
    ...(isAgain && { began: before.began ?? before.startedAt }),
    handle: null,
    child: before?.child,
    ...(before?.map?.round && { map: before.map }),
    ...withRecords(before?.records ?? takeFormer(state, frame, nodeId)),
  });
  if (state.undoing && (!frame.parent || isPast(frame))) state.undoing.at = { frame, nodeId };
}

const withRecords = (records: Records | undefined) => (records ? { records } : {});

function takeFormer(state: RunState, frame: Frame, nodeId: string): Records | undefined {
  if (state.formerRecords.size === 0) return undefined;
  const key = keyOf(addressIn(frame, nodeId));
  const list = state.formerRecords.get(key);
  state.formerRecords.delete(key);
  return list && { list: [...list], chars: list.reduce((sum, record) => sum + sizeOf(record.output), 0) };
}

/** Stores a record. A step that records progress does not crash its workers, so the count of takeovers restarts. */
function record(state: RunState, frame: Frame, entry: StepEntry, nodeId: string): void {
  const { output = null, answers, replaces } = entry;
  const node = frame.nodes.get(nodeId);
  if (!node) return;
  const kept: StepRecord = { output, ...(answers !== undefined && { answers }) };
  const records = (node.records ??= { list: [], chars: 0 });
  if (replaces) {
    state.recordChars -= records.chars;
    node.records = { list: [kept], chars: sizeOf(output) };
    state.recordChars += node.records.chars;
    state.takeovers = 0;
    return;
  }
  const size = sizeOf(output);
  records.list.push(kept);
  records.chars += size;
  state.recordChars += size;
  state.takeovers = 0;
}

const newMap = (items: readonly unknown[], concurrency: number): MapState => ({
  items,
  concurrency,
  outputs: new Array<unknown>(items.length),
  done: 0,
  chars: 0,
  next: 0,
  frames: new Map(),
});

function iterate(state: RunState, frame: Frame, entry: StepEntry, nodeId: string): void {
  const before = frame.nodes.get(nodeId);
  const { items = [], concurrency = 1, kept = [] } = entry;
  const map = newMap(items, concurrency);
  putNode(state, frame, nodeId, {
    status: "iterating",
    attempt: before?.attempt ?? 1,
    failures: before?.failures ?? 0,
    startedAt: before?.startedAt ?? entry.at,
    handle: null,
    map,
  });
  for (const [index, output] of kept) {
    map.outputs[index] = output;
    map.done++;
    map.chars += sizeOf(output);
  }
}

/** Begins a round of a loop, or the wait for it. The previous round has ended. */
function beginRound(state: RunState, frame: Frame, entry: StepEntry, nodeId: string, index: number): void {
  const before = frame.nodes.get(nodeId);
  const former = before?.map;
  const carry = "output" in entry ? entry.output : former?.round?.carry;
  const since = former?.round?.since ?? before?.startedAt ?? entry.at;
  putNode(state, frame, nodeId, {
    ...(entry.until ? { status: "waiting", waitsFor: "delay", until: entry.until } : { status: "iterating" }),
    attempt: before?.attempt ?? 1,
    failures: before?.failures ?? 0,
    startedAt: before?.startedAt ?? entry.at,
    handle: null,
    map: { ...newMap([], 1), round: { index, carry, since, ended: false } },
  });
}

const sizeOf = (output: unknown): number => JSON.stringify(output ?? null).length;

/** Ends an item or a round with its last entry, which has the mark `ends`. */
export function endItem(state: RunState, frame: Frame, entry: StepEntry): void {
  const around = mapOf(frame);
  const map = around?.map;
  const index = frame.path.at(-1)?.index;
  if (!map || index === undefined || map.frames.get(index) !== frame) return;
  if (map.round) {
    // The loop evaluates the outputs of the round before it continues.
    map.round.ended = true;
    return;
  }
  const output = ("itemOutput" in entry ? entry.itemOutput : entry.output) ?? null;
  map.outputs[index] = output;
  map.done++;
  map.chars += sizeOf(output);
  map.frames.delete(index);
  endPass(state, around, index, frame);
}

/**
 * Applies a `step.log` entry, which states what a waiting step shows or waits for. An entry with only a message changes
 * nothing.
 */
function log(state: RunState, frame: Frame, entry: StepEntry, nodeId: string): void {
  if (entry.record) record(state, frame, entry, nodeId);
  else if (entry.round !== undefined) beginRound(state, frame, entry, nodeId, entry.round);
  else if (entry.items) iterate(state, frame, entry, nodeId);
  else if (entry.awaits) wait(state, frame, entry, nodeId, "event");
  else if (entry.child) wait(state, frame, entry, nodeId, "child");
  else if (entry.suspension) wait(state, frame, entry, nodeId, "answer");
  else if (entry.until) wait(state, frame, entry, nodeId, "delay");
  else if (entry.formerChild) state.formerChildren.set(keyOf(addressIn(frame, nodeId)), entry.formerChild);
  else if (entry.formerRecords) state.formerRecords.set(keyOf(addressIn(frame, nodeId)), entry.formerRecords);
}

/** Takes one entry about a step into the state. */
export function applyStep(state: RunState, entry: StepEntry, nodeId: string): void {
  const frame = frameOf(state, entry);
  if (!frame) return;
  // A child still runs after its step has timed out. In every other failure of the step, the child has already ended.
  if (entry.error?.code === STEP_TIMEOUT) giveUpChild(state, frame.nodes.get(nodeId));
  switch (entry.event) {
    case "step.started":
      start(state, frame, entry, nodeId);
      break;
    case "step.completed":
    case "step.failed":
    case "step.skipped":
      settle(state, frame, entry, nodeId, SETTLED[entry.event]);
      break;
    case "step.retrying":
      wait(state, frame, entry, nodeId, "retry");
      break;
    case "step.log":
      log(state, frame, entry, nodeId);
      break;
  }
  if (entry.ends) endItem(state, frame, entry);
}
