import type { ExecutionError } from "../../contracts/entities/execution.ts";
import type { Graph } from "../graph/graph.ts";
import { NEEDS_SIGNALS } from "../graph/journal-formats.ts";
import { answer, type AnswerGiven, type EventGiven, expire, endWait } from "./answers.ts";
import { applyChildOutcome, type ChildOutcome } from "./child.ts";
import { STEP_TIMEOUT, type StepEntry, type StepResult } from "./entry.ts";
import { escalate, failStep } from "./fail-step.ts";
import { frameAt, type Address } from "./frame.ts";
import { endFrame, fillMap, isLive, iterate, MAX_LIST_CHARS } from "./items.ts";
import { frameOutput, plan } from "./plan.ts";
import { beginRound, isLoop, roundDue } from "./rounds.ts";
import { logReport, type StepReport } from "./records.ts";
import type { RunState } from "./state.ts";
import { Turn, type TurnContext } from "./turn.ts";
import { firstQuestion } from "./waits.ts";

export type KeptEntry = Omit<StepEntry, "seq" | "at">;

/** An event that the rules turn into journal entries. */
export type RunInput =
  /** The run starts. `kept` is what it takes over from the run that it retries. */
  | { kind: "begin"; kept?: readonly KeptEntry[] | undefined }
  /** Another worker held the run before. `lost` is true if that worker died instead of handing the run over. */
  | { kind: "takeover"; lost: boolean }
  | { kind: "result"; at: Address; result: StepResult; durationMs: number }
  | { kind: "report"; report: StepReport }
  /** The time of a waiting step has come. A question ends with `expiry` instead. */
  | { kind: "due"; at: Address }
  /** The inbox reports that the time of this question is over. The inbox decides this, not the clock here. */
  | { kind: "expiry"; at: Address; attempt: number }
  | { kind: "answer"; answer: AnswerGiven }
  /** An event arrived for which a step waits. */
  | { kind: "event"; event: EventGiven }
  /** A child execution for which a step waits has moved on. */
  | { kind: "child"; at: Address; childId: string; outcome: ChildOutcome }
  /** The run cannot continue, whatever its steps do. */
  | { kind: "fail"; error: ExecutionError }
  | { kind: "cancel"; error: ExecutionError };

/** The run fails when it loses more workers in a row than this. */
export const MAX_TAKEOVERS = 5;

/**
 * Moves a run forward: applies the inputs and returns the resulting journal entries, in order. It also changes the
 * state. If the entries cannot be appended, the state is invalid and has to be folded again.
 */
export function advance(graph: Graph, state: RunState, inputs: RunInput[], around: TurnContext): StepEntry[] {
  const turn = new Turn(graph, state, around);
  for (const input of inputs) if (!turn.isOver) take(turn, input);
  if (!turn.isOver) goOn(turn);
  if (turn.takeUp()) {
    turn.undoNext();
    goOn(turn);
  }
  return turn.entries;
}

function take(turn: Turn, input: RunInput): void {
  switch (input.kind) {
    case "begin":
      turn.add({ event: "execution.started" });
      for (const entry of input.kept ?? []) turn.add(entry);
      turn.touchAll();
      break;
    case "takeover":
      takeOver(turn, input.lost);
      break;
    case "result":
      result(turn, input.at, input.result, input.durationMs);
      break;
    case "report":
      logReport(turn, input.report);
      break;
    case "due":
      due(turn, input.at);
      break;
    case "expiry":
      expire(turn, input.at, input.attempt);
      break;
    case "answer":
      answer(turn, input.answer);
      break;
    case "event":
      endWait(turn, input.event);
      break;
    case "child":
      applyChildOutcome(turn, input.at, input.childId, input.outcome);
      break;
    case "fail":
      // A run that already undoes its steps has failed before.
      if (!turn.state.undoing) turn.fail(input.error);
      break;
    case "cancel":
      turn.add({ event: "execution.cancelled", error: input.error });
      break;
  }
}

function takeOver(turn: Turn, lost: boolean): void {
  const { state } = turn;
  turn.touchAll();
  if (state.running > 0) {
    const from = lost ? "a worker that was lost" : "another worker";
    turn.add({ event: "execution.resumed", message: `Taken over from ${from}.`, ...(lost && { lost }) });
  }
  if (state.takeovers > MAX_TAKEOVERS) {
    const message = `${MAX_TAKEOVERS} workers in a row were lost while they ran its steps.`;
    return turn.fail({ code: "worker_lost", message });
  }
  for (const frame of [...turn.frames()]) {
    for (const [nodeId, node] of frame.nodes) {
      if (node.status === "running") turn.start(frame, nodeId);
      // The lost worker did not write the consequences of this failure.
      else if (turn.undoesIn(frame)) continue;
      else if (node.status === "failed" && node.handle === null && node.error && isLive(turn.state, frame))
        escalate(turn, frame, node.error);
    }
  }
}

function result(turn: Turn, at: Address, given: StepResult, durationMs: number): void {
  const frame = frameAt(turn.state, at.path);
  const { nodeId } = at;
  const node = frame?.nodes.get(nodeId);
  if (!frame || node?.status !== "running") return;
  const { attempt } = node;
  if ("logs" in given)
    for (const line of given.logs ?? []) turn.addStep(frame, { event: "step.log", nodeId, attempt, ...line });
  const log = (facts: Partial<StepEntry>) => turn.addStep(frame, { event: "step.log", nodeId, attempt, ...facts });
  switch (given.kind) {
    case "done": {
      const { output, handle = "out", input } = given;
      const shown = input === undefined ? {} : { input };
      // The duration of a loop counts from its first round.
      const whole = isLoop(node) ? turn.sinceTime(node.map.round.since) : durationMs;
      turn.settle(frame, { event: "step.completed", nodeId, output, handle, durationMs: whole, ...shown });
      break;
    }
    case "failed":
      failStep(turn, frame, nodeId, given, durationMs);
      break;
    case "wait":
      log({ until: given.until, output: given.output });
      break;
    case "ask": {
      const { suspension, question } = given;
      const until = suspension.expiresAt ?? undefined;
      log({
        suspension: {
          ...suspension,
          ...(at.path && { path: [...at.path] }),
          // Unique among the questions of this run.
          ...(question !== undefined && { question: String(turn.state.seq + 1) }),
        },
        ...(until && { until }),
        ...(question !== undefined && { question }),
      });
      break;
    }
    case "await":
      log({ awaits: given.awaits, ...(given.until && { until: given.until }), needs: NEEDS_SIGNALS });
      break;
    case "call":
      log({ child: given.child, calls: true, ...(given.until && { until: given.until }) });
      break;
    case "round":
      beginRound(turn, frame, nodeId, given);
      break;
    case "iterate":
      iterate(turn, frame, nodeId, given);
      break;
  }
}

function due(turn: Turn, at: Address): void {
  const frame = frameAt(turn.state, at.path);
  const { nodeId } = at;
  const node = frame?.nodes.get(nodeId);
  if (!frame || node?.status !== "waiting" || !node.until || node.until > turn.around.now) return;
  if (node.waitsFor === "answer" || node.waitsFor === "event") return;
  turn.resume();
  const durationMs = turn.since(node);
  switch (node.waitsFor) {
    case "retry":
      return turn.start(frame, nodeId);
    case "delay":
      if (isLoop(node)) return roundDue(turn, frame, nodeId, node);
      return turn.settle(frame, { event: "step.completed", nodeId, output: node.output, handle: "out", durationMs });
    case "child": {
      const message = `The subworkflow took longer than ${turn.nodeOf(nodeId)?.policy.timeoutMs ?? 0} ms.`;
      const error = { code: STEP_TIMEOUT, message };
      return failStep(turn, frame, nodeId, { kind: "failed", error, retryable: true }, durationMs);
    }
  }
}

function complete(turn: Turn): void {
  const { graph, state } = turn;
  const { output, joined } = frameOutput(graph, state, state.input);
  if (!joined || JSON.stringify(output).length <= MAX_LIST_CHARS)
    return turn.add({ event: "execution.completed", output });
  const message = `The outputs of the last steps are together larger than ${MAX_LIST_CHARS / 1_048_576} MiB.`;
  turn.fail({ code: "output_too_large", message });
}

/** Starts ready nodes in all frames that changed, and skips nodes that can never become ready. */
function planTouched(turn: Turn): void {
  for (;;) {
    const [touched] = turn.touched;
    const [waiting] = turn.maps;
    if (turn.isOver || (!touched && !waiting)) return;
    if (touched) {
      const [frame, settled] = touched;
      turn.touched.delete(frame);
      if (!isLive(turn.state, frame)) continue;
      if (turn.undoesIn(frame)) {
        turn.undoNext();
        continue;
      }
      const { start, skip } = plan(turn.graphOf(frame), frame, settled);
      for (const node of skip) turn.addStep(frame, { event: "step.skipped", nodeId: node.id });
      for (const node of start) turn.start(frame, node.id);
      if (frame.active > 0 || turn.isOver) continue;
      if (frame.parent) endFrame(turn, frame);
      else complete(turn);
    } else if (waiting) {
      const [frame, nodeIds] = waiting;
      turn.maps.delete(frame);
      if (isLive(turn.state, frame)) for (const nodeId of nodeIds) fillMap(turn, frame, nodeId);
    }
  }
}

/** Moves on as far as possible. Suspends the run when only questions are left. */
function goOn(turn: Turn): void {
  const { state } = turn;
  planTouched(turn);
  if (turn.isOver) return;
  const asked = state.running === 0 ? firstQuestion(state) : undefined;
  if (!asked) turn.resume();
  else if (state.status === "running") turn.add({ event: "execution.suspended", ...asked });
}
