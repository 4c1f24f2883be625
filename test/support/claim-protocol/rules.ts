import type { Graph } from "../../../core/graph/graph.ts";
import { advance, type RunInput } from "../../../core/run/advance.ts";
import { cancelsByUndoing } from "../../../core/run/cancel.ts";
import type { JournalEntry, StepRecord, StepResult } from "../../../core/run/entry.ts";
import { fold } from "../../../core/run/fold.ts";
import { isFinal, type RunState } from "../../../core/run/state.ts";
import { nextWake } from "../../../core/run/waits.ts";
import type { Signal } from "./documents.ts";
import { created, graphOf } from "../simulate-run.ts";

// These are the real rules. Their results depend only on the journal and the input, so each is computed once.

/** Everything with a time is due at the same moment, so the model needs only two times: before and after it. */
const TIME = "2026-01-01T00:00:10.000Z";
const NOW = { early: "2026-01-01T00:00:05.000Z", late: "2026-01-01T00:00:15.000Z" };
export type Now = keyof typeof NOW;

/** A journal, by its number in the model. */
export type JournalNumber = number;

/** Entries that become true together. Equal appends have the same number. */
export interface Append {
  number: number;
  entries: JournalEntry[];
}

/** The facts in a journal. */
export interface View {
  status: RunState["status"];
  seq: number;
  begun: boolean;
  running: string[];
  /** Questions that wait for an answer. */
  questions: { nodeId: string; attempt: number }[];
  /** Waiting steps that continue by themselves. */
  timed: string[];
  /** True if nothing runs, and a step will continue by itself. */
  sleeps: boolean;
  /** The answers in the journal, by the step that asked. */
  answered: Record<string, number>;
  /** The records of running steps. */
  records: Record<string, readonly StepRecord[]>;
  /** Whether the run compensates, and why. */
  undoing: "cancelled" | "failed" | null;
  /** Finished steps that are not yet compensated. */
  toUndo: string[];
  /** Why the journal is invalid, or null. */
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
 * The behaviour of a step depends on its name: `pure` is performed before the append, `ask` asks, `askTimed` asks until
 * a time, `askOn` and `askOnTimed` ask in the middle and end with the answer, `tell` records a part of its work before
 * it ends, `wait` waits, `fail` fails, others just end after the append. A step named `undo-book` compensates the step
 * `book`.
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

  /**
   * Creates the rules for a workflow with these edges (`source > target` or `source:handle > target`), and these nodes
   * without edges.
   */
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

  /** The entries of a journal after the first one, in readable form. */
  describe(journal: JournalNumber): string {
    return this.entries(journal)
      .slice(1)
      .map(entry => `${entry.seq} ${entry.event} ${"nodeId" in entry ? (entry.nodeId ?? "") : ""}`)
      .join("; ");
  }

  /** The entries that a worker who knows this journal appends. */
  decide(known: JournalNumber, inputs: RunInput[], now: Now): Append {
    const key = `${known} ${now} ${JSON.stringify(inputs)}`;
    let made = this.decided.get(key);
    if (!made) {
      const state = fold(this.entries(known));
      const around = { now: NOW[now], random: 0.5 };
      const entries = advance(this.graph, state, inputs, around);
      // A step that crashes its worker must be stored as started. So after a lost worker, no step is performed before
      // the append.
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

  /** The journal with one more append. Without a fence, the seq may already be taken, and both entries are read. */
  append(journal: JournalNumber, { entries, number }: Append): JournalNumber {
    const key = journal * 1_000_000 + number;
    let made = this.appended.get(key);
    if (made === undefined) {
      made = this.number([...this.entries(journal), ...entries].sort((a, b) => a.seq - b.seq));
      this.appended.set(key, made);
    }
    return made;
  }

  /** The same append, one entry at a time. */
  split({ entries }: Append): Append[] {
    return entries.map(entry => this.asAppend([entry]));
  }

  /** The clock's input for a waiting step. */
  over(journal: JournalNumber, nodeId: string): RunInput {
    const question = this.view(journal).questions.find(one => one.nodeId === nodeId);
    const at = { nodeId };
    return question ? { kind: "expiry", at, attempt: question.attempt } : { kind: "due", at };
  }

  /** The next input from a running step. */
  ends(journal: JournalNumber, nodeId: string): RunInput {
    const records = this.view(journal).records[nodeId] ?? [];
    const at = { nodeId };
    if (nodeId.startsWith("tell") && records.length === 0) {
      const { attempt } = fold(this.entries(journal)).nodes.get(nodeId)!;
      return { kind: "report", report: { ...at, attempt, message: "", output: "a part", kept: true } };
    }
    const answered = records.find(({ answers }) => answers !== undefined);
    const result: StepResult = answered ? { kind: "done", output: answered.output } : resultOf(nodeId);
    return { kind: "result", at, result, durationMs: 0 };
  }

  /** The append with which a cancel lets a run compensate; null if there is nothing to undo. */
  compensating(journal: JournalNumber): Append | null {
    const entry = cancelsByUndoing(this.graph, fold(this.entries(journal)), new Date(NOW.early));
    return entry && this.asAppend([entry]);
  }

  cancelled(journal: JournalNumber): Append {
    return this.asAppend([{ seq: this.view(journal).seq + 1, event: "execution.cancelled", at: NOW.early }]);
  }
}

// Times and durations do not affect decisions.
const textOf = (entries: JournalEntry[]): string =>
  JSON.stringify(entries, (name, value: unknown) => (name === "at" || name === "durationMs" ? 0 : value));

/** The input for a signal. */
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

/**
 * What is wrong with one history: gaps, entries after an end, a finished step that continues, a step that is
 * compensated wrongly.
 */
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
