import type { Graph } from "../../../core/graph/graph.ts";
import { advance, type RunInput } from "../../../core/run/advance.ts";
import { cancelsByUndoing } from "../../../core/run/cancel.ts";
import type { JournalEntry, StepRecord, StepResult } from "../../../core/run/entry.ts";
import { fold } from "../../../core/run/fold.ts";
import { isFinal, type RunState } from "../../../core/run/state.ts";
import { nextWake } from "../../../core/run/waits.ts";
import type { Signal } from "./documents.ts";
import { created, graphOf } from "../simulate-run.ts";

// The rules are the real ones. What they give depends on the journal and on what happens alone, so each is asked once.

/** Everything that has a time has it at the same moment; before it and after it are the only two times there are. */
const TIME = "2026-01-01T00:00:10.000Z";
const NOW = { early: "2026-01-01T00:00:05.000Z", late: "2026-01-01T00:00:15.000Z" };
export type Now = keyof typeof NOW;

/** A journal by the number that it has here. */
export type JournalNumber = number;

/** Entries that become true together. Equal ones have the same number. */
export interface Append {
  number: number;
  entries: JournalEntry[];
}

/** What a journal says. */
export interface View {
  status: RunState["status"];
  seq: number;
  begun: boolean;
  running: string[];
  /** Questions that wait for an answer. */
  questions: { nodeId: string; attempt: number }[];
  /** Waiting steps that go on by themselves. */
  timed: string[];
  /** Nothing runs, and something goes on by itself. */
  sleeps: boolean;
  /** The answers that were taken, by the step that asked. */
  answered: Record<string, number>;
  /** What running steps have done of their work. */
  records: Record<string, readonly StepRecord[]>;
  /** Whether it undoes what it has done, and why. */
  undoing: "cancelled" | "failed" | null;
  /** Finished steps that a compensation undoes, and have not been undone. */
  toUndo: string[];
  /** What no journal may say, or null. */
  wrong: string | null;
}

const resultOf = (node: string): StepResult => {
  if (node.startsWith("ask")) {
    const expiresAt = node.endsWith("Timed") ? TIME : null;
    const suspension = { nodeId: node, prompt: "?", expiresAt };
    return { kind: "ask", suspension, ...(node.startsWith("askOn") && { question: "its own" }) };
  }
  if (node.startsWith("wait")) return { kind: "wait", until: TIME, output: null };
  if (node.startsWith("fail")) return { kind: "failed", error: { code: "broken", message: "" }, retryable: false };
  return { kind: "done", output: node };
};

const isUndoable = (node: string): boolean => node.startsWith("book");
const undoOf = (node: string): string => `undo-${node}`;
const isPure = (node: string): boolean => node.startsWith("pure");

/**
 * How steps of a name behave: `pure` is performed before the append, `ask` asks, `askTimed` asks until a time, `askOn` and
 * `askOnTimed` ask in the middle and end with the answer, `tell` records a part of its work before it ends, `wait` waits,
 * `fail` fails, others just end, after the append. What `book` does, a step of the same name behind `undo-` undoes.
 */
const typeOf = (node: string): object => {
  if (node.startsWith("ask")) return { type: "human", data: { prompt: "?" } };
  if (node.startsWith("wait")) return { type: "delay", data: { ms: 60_000 } };
  return { type: "transform", data: { value: null } };
};

const runningPure = ({ status, nodes }: RunState): string | undefined =>
  isFinal(status) ? undefined : [...nodes].find(([id, node]) => isPure(id) && node.status === "running")?.[0];

export class Rules {
  private readonly graph: Graph;
  private readonly journals: JournalEntry[][] = [];
  private readonly numbers = new Map<string, JournalNumber>();
  private readonly views: View[] = [];
  private readonly decided = new Map<string, Append>();
  private readonly appends = new Map<string, number>();
  private readonly appended = new Map<number, JournalNumber>();
  readonly start: JournalNumber;

  /** Of a workflow with these edges, `source > target` or `source:handle > target`, and these nodes without any. */
  constructor(edges: string[], alone: string[] = []) {
    const pairs = edges.map(edge => edge.split(" > ") as [string, string]);
    const ids = new Set([...alone, ...pairs.flatMap(([from, to]) => [from.split(":")[0] ?? "", to])]);
    for (const id of ids) if (isUndoable(id)) ids.add(undoOf(id));
    this.graph = graphOf({
      nodes: [...ids].map(id => ({ id, ...typeOf(id), ...(isUndoable(id) && { policy: { compensate: undoOf(id) } }) })),
      edges: pairs.map(([from, target]) => {
        const [source, sourceHandle = "out"] = from.split(":");
        return { source, sourceHandle, target };
      }),
    });
    this.start = this.number([created]);
  }

  private number(entries: JournalEntry[]): JournalNumber {
    const key = textOf(entries);
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.journals.push(entries) - 1;
      this.numbers.set(key, number);
      this.views.push(viewOf(entries));
    }
    return number;
  }

  private asAppend(entries: JournalEntry[]): Append {
    const key = textOf(entries);
    const number = this.appends.get(key) ?? this.appends.size;
    this.appends.set(key, number);
    return { number, entries };
  }

  view(journal: JournalNumber): View {
    return this.views[journal] as View;
  }

  private entries(journal: JournalNumber): JournalEntry[] {
    return this.journals[journal] as JournalEntry[];
  }

  /** What was appended in a journal behind this one, entry by entry, as an operator reads it. */
  describe(journal: JournalNumber): string {
    return this.entries(journal)
      .slice(1)
      .map(entry => `${entry.seq} ${entry.event} ${"nodeId" in entry ? (entry.nodeId ?? "") : ""}`)
      .join("; ");
  }

  /** What a worker appends that knows this journal. */
  decide(known: JournalNumber, inputs: RunInput[], now: Now): Append {
    const key = `${known} ${now} ${JSON.stringify(inputs)}`;
    let made = this.decided.get(key);
    if (!made) {
      const state = fold(this.entries(known));
      const around = { now: NOW[now], random: 0.5 };
      const entries = advance(this.graph, state, inputs, around);
      // A step that takes its worker down must be on disk as started, so after a lost worker none is performed before.
      const goesAhead = !inputs.some(input => input.kind === "takeover" && input.lost);
      for (let pure = goesAhead && runningPure(state); pure; pure = runningPure(state)) {
        const ended = { kind: "result" as const, at: { nodeId: pure }, result: resultOf(pure), durationMs: 0 };
        entries.push(...advance(this.graph, state, [ended], around));
      }
      made = this.asAppend(entries);
      this.decided.set(key, made);
    }
    return made;
  }

  /** This journal with one append more. Where there is no fence the seq may be there already, and both are read. */
  append(journal: JournalNumber, { entries, number }: Append): JournalNumber {
    const key = journal * 1_000_000 + number;
    let made = this.appended.get(key);
    if (made === undefined) {
      made = this.number([...this.entries(journal), ...entries].sort((a, b) => a.seq - b.seq));
      this.appended.set(key, made);
    }
    return made;
  }

  /** The same append, entry by entry. */
  split({ entries }: Append): Append[] {
    return entries.map(entry => this.asAppend([entry]));
  }

  /** What the clock says of a waiting step. */
  over(journal: JournalNumber, nodeId: string): RunInput {
    const question = this.view(journal).questions.find(one => one.nodeId === nodeId);
    const at = { nodeId };
    return question ? { kind: "expiry", at, attempt: question.attempt } : { kind: "due", at };
  }

  /** What a running step comes to next. */
  ends(journal: JournalNumber, nodeId: string): RunInput {
    const records = this.view(journal).records[nodeId] ?? [];
    const at = { nodeId };
    if (nodeId.startsWith("tell") && records.length === 0) {
      const { attempt } = fold(this.entries(journal)).nodes.get(nodeId)!;
      return { kind: "telling", telling: { ...at, attempt, message: "", output: "a part", kept: true } };
    }
    const answered = records.find(({ answers }) => answers !== undefined);
    const result: StepResult = answered ? { kind: "done", output: answered.output } : resultOf(nodeId);
    return { kind: "result", at, result, durationMs: 0 };
  }

  /** The append by which a cancel lets a run undo what it has done; null where there is nothing to undo. */
  compensating(journal: JournalNumber): Append | null {
    const entry = cancelsByUndoing(this.graph, fold(this.entries(journal)), new Date(NOW.early));
    return entry && this.asAppend([entry]);
  }

  cancelled(journal: JournalNumber): Append {
    return this.asAppend([{ seq: this.view(journal).seq + 1, event: "execution.cancelled", at: NOW.early }]);
  }
}

// When something happened, and how long it took, decides nothing.
const textOf = (entries: JournalEntry[]): string =>
  JSON.stringify(entries, (name, value: unknown) => (name === "at" || name === "durationMs" ? 0 : value));

/** What a signal says. */
export const inputOf = ({ nodeId, attempt, answer: data }: Signal): RunInput =>
  data === null
    ? { kind: "expiry", at: { nodeId }, attempt }
    : { kind: "answer", answer: { nodeId, attempt, approved: true, data, respondedBy: "", respondedAt: "" } };

function viewOf(entries: JournalEntry[]): View {
  const state = fold(entries);
  const nodes = [...state.nodes];
  const waiting = nodes.filter(([, node]) => node.status === "waiting");
  const answered: Record<string, number> = {};
  for (const [id, node] of nodes) {
    const output = node.status === "completed" ? (node.output as { data?: unknown } | null) : null;
    if (id.startsWith("ask") && typeof output?.data === "number") answered[id] = output.data;
  }
  return {
    status: state.status,
    seq: state.seq,
    begun: state.startedAt !== null,
    running: nodes.filter(([, node]) => node.status === "running").map(([id]) => id),
    questions: waiting
      .filter(([, node]) => node.waitsFor === "answer")
      .map(([nodeId, { attempt }]) => ({ nodeId, attempt })),
    timed: waiting.filter(([, node]) => node.until !== undefined).map(([id]) => id),
    records: Object.fromEntries(nodes.flatMap(([id, node]) => (node.records ? [[id, [...node.records.list]]] : []))),
    sleeps: nextWake(state) !== null,
    answered,
    undoing: state.undoing && (state.undoing.cancelled ? "cancelled" : "failed"),
    toUndo: nodes.flatMap(([id, { status }]) =>
      isUndoable(id) && status === "completed" && state.nodes.get(undoOf(id))?.status !== "completed" ? [id] : [],
    ),
    wrong: wrongWith(entries),
  };
}

/** What is wrong with one history: gaps, entries behind an end, a finished step that goes on, a step that is undone wrongly. */
function wrongWith(entries: JournalEntry[]): string | null {
  const done = new Set<string>();
  const completed: string[] = [];
  const finished = new Set<string>();
  for (const [i, entry] of entries.entries()) {
    if (entry.seq !== i) return `seq ${entry.seq} stands at place ${i}`;
    if (i > 0 && isFinal(fold(entries.slice(0, i)).status)) return `${entry.event} stands behind the end`;
    if (!("nodeId" in entry) || entry.nodeId === undefined) continue;
    if ("record" in entry && entry.answers === undefined) {
      if (done.has(entry.nodeId)) return `a part of ${entry.nodeId} was done twice`;
      done.add(entry.nodeId);
    }
    if (finished.has(entry.nodeId)) return `${entry.event} of ${entry.nodeId}, which had finished`;
    if (entry.event === "step.started" && entry.nodeId.startsWith("undo-")) {
      const undone = completed.findLast(id => isUndoable(id) && !finished.has(undoOf(id)));
      if (undone === undefined || undoOf(undone) !== entry.nodeId) return `${entry.nodeId} began out of its turn`;
    }
    if (entry.event === "step.completed") completed.push(entry.nodeId);
    if (["step.completed", "step.failed", "step.skipped"].includes(entry.event)) finished.add(entry.nodeId);
  }
  const state = fold(entries);
  const failed = entries.some(entry => entry.event === "step.failed");
  if (failed && state.status === "completed") return "it completed although a step failed it";
  return null;
}
