import type { RunInput } from "../../../core/run/advance.ts";
import { isFinal } from "../../../core/run/state.ts";
import type { Doc } from "./documents.ts";
import type { Step } from "./explore.ts";
import { inputOf, type JournalNumber, type Now, type Rules } from "./rules.ts";
import { EMPTY, hand, worker, type Knowledge, type State, type Task } from "./state.ts";
import type { ModelStore } from "./store.ts";
import * as writes from "./writes.ts";
import type { Variant, Write } from "./writes.ts";

interface StepAttempt {
  nodeId: string;
  attempt: number;
}

/** Whether the inbox contains the end of a question: an answer or an expiry. */
export const isClosed = ({ inbox = [] }: Doc, node: string): boolean => inbox.some(({ nodeId }) => nodeId === node);

/** The work of workers for the executions that they have claimed. */
export class Tasks {
  private readonly rules: Rules;
  private readonly store: ModelStore;
  private readonly variant: Variant;
  private readonly cutAppends: boolean;

  constructor(rules: Rules, store: ModelStore, variant: Variant, cutAppends: boolean) {
    this.rules = rules;
    this.store = store;
    this.variant = variant;
    this.cutAppends = cutAppends;
  }

  /** All possible next steps of this worker for this execution. */
  next(state: State, w: number, e: number): Step<State>[] {
    const { task } = state.workers[w]!.hands[e]!;
    if (!task) return [];
    const doc = state.docs[e]!;
    const to = (next: Task | null, after = state): State => withHand(after, w, e, next);
    const step = (name: string, after: State): Step<State> => ({ name: `${w} ${name} ${e}`, to: after });
    switch (task.at) {
      case "taking":
        if (this.isToTakeUndo(state, e, task.doc)) return [this.takeUndo(state, w, e, task.doc)];
        return this.times(state.journals[e]!).map(now =>
          step(`reads (${now})`, to(this.taken(state, w, e, task.doc, now))),
        );
      case "closing": {
        const closed = this.closeAll(state, e, task.known);
        const found = { ...closed.docs[e]!, lost: task.lost };
        return [step("closes questions of", to(this.decided(w, e, task.known, found, "late"), closed))];
      }
      case "writing":
        return this.writing(state, w, e, task);
      case "here":
        return this.here(state, w, e, task);
      case "hearing":
        if (doc.workerId !== w) return [step("no longer holds", to(null))];
        return [step("hears for", to(this.heard(state, w, e, task)))];
      case "retaking":
        if (doc.workerId !== w) return [step("gives up", to(null))];
        return [step("takes again", to({ at: "taking", doc: { ...doc, lost: false } }))];
      case "repairing":
        return [step("repairs", to(null, this.store.write(state, writes.repair(e, task.status)).state))];
    }
  }

  /** Whether a cancel asks the run to compensate, and this worker is the first to notice. */
  private isToTakeUndo(state: State, e: number, doc: Doc): boolean {
    if (doc.undoes === "begun") return false;
    const { status, undoing } = this.rules.view(state.journals[e]!);
    return !isFinal(status) && undoing === "cancelled";
  }

  private takeUndo(state: State, w: number, e: number, doc: Doc): Step<State> {
    const { state: after, matched } = this.store.write(state, writes.takeUndo(e, w));
    const now = after.docs[e]!;
    const lost = matched ? doc.lost : now.lost;
    const next: Task | null =
      now.workerId === w ? { at: "taking", doc: { ...now, ...(lost !== undefined && { lost }) } } : null;
    return { name: `${w} takes over the cancel of ${e}`, to: withHand(after, w, e, next) };
  }

  private times(journal: JournalNumber): Now[] {
    return this.rules.view(journal).timed.length > 0 ? ["early", "late"] : ["early"];
  }

  /** The open questions with a time limit. The expiry is put into the inbox before the journal. */
  private timedQuestions(journal: JournalNumber): StepAttempt[] {
    if (this.variant.withoutLastSignal) return [];
    const { questions, timed } = this.rules.view(journal);
    return questions.filter(({ nodeId }) => timed.includes(nodeId));
  }

  /** Puts the expiry of each question into the inbox, unless it was answered before. */
  private closeAll(state: State, e: number, known: JournalNumber): State {
    let after = state;
    for (const question of this.timedQuestions(known)) {
      const doc = after.docs[e]!;
      if (isFinal(doc.status as never) || isClosed(doc, question.nodeId)) continue;
      after = this.store.write(after, writes.deliver(e, doc, { ...question, answer: null })).state;
    }
    return after;
  }

  private taken(state: State, w: number, e: number, doc: Doc, now: Now): Task {
    const known = state.journals[e]!;
    const { status } = this.rules.view(known);
    if (isFinal(status)) return { at: "repairing", status };
    const closing = now === "late" && this.timedQuestions(known).some(({ nodeId }) => !isClosed(doc, nodeId));
    return closing ? { at: "closing", known, lost: doc.lost === true } : this.decided(w, e, known, doc, now);
  }

  /** Continues a claimed run from its journal, its inbox and the clock. */
  private decided(w: number, e: number, known: JournalNumber, doc: Doc, now: Now): Task {
    const { status, begun, timed } = this.rules.view(known);
    const taken = doc.inboxed ?? 0;
    const inputs: RunInput[] = [];
    if (!begun) inputs.push({ kind: "begin" });
    else {
      if (status === "running") inputs.push({ kind: "takeover", lost: doc.lost === true });
      inputs.push(...(doc.inbox ?? []).map(inputOf));
      const announced = this.timedQuestions(known).map(({ nodeId }) => nodeId);
      if (now === "late")
        inputs.push(...timed.filter(node => !announced.includes(node)).map(node => this.rules.over(known, node)));
    }
    // An expiry in the inbox counts, whatever the time on this worker.
    const isOver = doc.inbox?.some(({ answer }) => answer === null);
    return this.goOn(w, e, { known, taken, kept: doc.inbox ? 0 : taken }, inputs, isOver ? "late" : now);
  }

  private heard(state: State, w: number, e: number, { known, taken, kept }: Knowledge): Task {
    const doc = state.docs[e]!;
    const fresh = (doc.inbox ?? []).filter(({ seq }) => seq > taken);
    // Signals refer to the current journal, which this worker may no longer know.
    const isPassedBy = this.rules.view(state.journals[e]!).seq > this.rules.view(known).seq;
    if (isPassedBy && !this.variant.withoutSecondLook) return { at: "retaking" };
    const knowledge = { known, taken: doc.inboxed ?? 0, kept };
    if (fresh.length === 0 && this.variant.withoutSecondParking) return { at: "here", ...knowledge };
    return this.goOn(w, e, knowledge, fresh.map(inputOf), "late");
  }

  private here(state: State, w: number, e: number, task: Task & { at: "here" }): Step<State>[] {
    const { running, timed } = this.rules.view(task.known);
    const to = (name: string, next: Task | null, after = state): Step<State> => ({
      name: `${w} ${name} ${e}`,
      to: withHand(after, w, e, next),
    });
    const steps = running.map(node =>
      to(`ends ${node} of`, this.goOn(w, e, task, [this.rules.ends(task.known, node)], "early")),
    );
    const questions = this.timedQuestions(task.known).map(({ nodeId }) => nodeId);
    if (questions.length > 0) {
      const closed = this.closeAll(state, e, task.known);
      steps.push(to("closes questions of", { ...task, at: "hearing" }, closed));
    }
    for (const node of timed) {
      if (!questions.includes(node)) {
        const over = this.rules.over(task.known, node);
        steps.push(to(`sees ${node} due in`, this.goOn(w, e, task, [over], "late")));
      }
    }
    // Hints only save time. Progress must not depend on them.
    if ((state.docs[e]!.inboxed ?? 0) > task.taken)
      steps.push({ ...to("is told of a signal for", { ...task, at: "hearing" }), fault: true });
    if (this.rules.view(state.journals[e]!).status === "cancelled")
      steps.push({ ...to("is told of the cancel of", null), fault: true });
    return steps;
  }

  /** Decides by the real rules, and returns the resulting writes. */
  private goOn(w: number, e: number, { known, taken, kept }: Knowledge, inputs: RunInput[], now: Now): Task {
    const append = this.rules.decide(known, inputs, now);
    const after = append.entries.length > 0 ? this.rules.append(known, append) : known;
    const { status, sleeps, timed } = this.rules.view(after);
    const then = isFinal(status) ? "ended" : status === "suspended" || sleeps ? "parked" : "here";
    const appends = this.cutAppends ? this.rules.split(append) : [append];
    const left: Write[] = appends.filter(({ entries }) => entries.length > 0).map(one => writes.append(e, one));
    if (kept < taken && then === "here") left.push(writes.forget(e, w, taken));
    if (then === "ended") left.push(writes.end(e, w, status, this.variant));
    const parked = { suspended: status === "suspended", timed: timed.length > 0, inboxed: taken };
    if (then === "parked") left.push(writes.park(e, w, parked, this.variant));
    if (left.length === 0) return { at: "here", known: after, taken, kept };
    return { at: "writing", known: after, taken, kept: taken, left, then };
  }

  private writing(state: State, w: number, e: number, task: Task & { at: "writing" }): Step<State>[] {
    const { known, taken, kept, then } = task;
    const [write, ...left] = task.left as [Write, ...Write[]];
    const { state: after, matched } = this.store.write(state, write);
    const what = writes.nameOf(write);
    const isRefused = matched === "conflict";
    let next: Task | null = null;
    if (isRefused) next = { at: "retaking" };
    else if (left.length > 0) next = { ...task, left };
    else if (then === "parked" && matched === 0) next = { at: "hearing", known, taken, kept };
    else if (then === "here") next = { at: "here", known, taken, kept };
    const name = isRefused
      ? `is refused an ${what} to`
      : matched === 0
        ? `writes (${what}) in vain`
        : `writes (${what})`;
    const steps: Step<State>[] = [{ name: `${w} ${name} ${e}`, to: withHand(after, w, e, next) }];
    const { faults, late } = state;
    if (faults.timeouts > 0) {
      const unsure = { ...state, late: [...late, write], faults: { ...faults, timeouts: faults.timeouts - 1 } };
      const to = withHand(unsure, w, e, { at: "retaking" });
      steps.push({ name: `${w} writes (${what}) and hears nothing of it for ${e}`, to, fault: true });
    }
    return steps;
  }
}

/** The state after a worker's hold on an execution has changed to this. */
export function withHand(state: State, w: number, e: number, task: Task | null): State {
  const { alive, hands } = state.workers[w]!;
  const held = task ? hand(task) : EMPTY;
  return { ...state, workers: state.workers.with(w, worker(alive, hands.with(e, held))) };
}
