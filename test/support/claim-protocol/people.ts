import { isFinal } from "../../../core/run/state.ts";
import type { Step } from "./explore.ts";
import type { Doc } from "./documents.ts";
import type { JournalNumber, Rules } from "./rules.ts";
import { someone, type Person, type State } from "./state.ts";
import type { ModelStore } from "./store.ts";
import { isClosed } from "./tasks.ts";
import * as writes from "./writes.ts";
import type { Variant, Write } from "./writes.ts";

/** People who answer questions, one who cancels, and the sweep that finishes an interrupted cancel. */
export class People {
  private readonly rules: Rules;
  private readonly store: ModelStore;
  private readonly variant: Variant;
  /** Whether the cancel lets runs compensate. */
  private readonly undoes: boolean;

  constructor(rules: Rules, store: ModelStore, variant: Variant, undoes: boolean) {
    this.undoes = undoes;
    this.rules = rules;
    this.store = store;
    this.variant = variant;
  }

  next(state: State): Step<State>[] {
    const [canceller, sweep] = [state.people.length - 2, state.people.length - 1];
    return state.people.flatMap(({ person }, p) => {
      if (person.at === "answering") return [this.answering(state, p, person)];
      if (person.at === "cancelling") return this.cancelling(state, p, person, p === sweep ? "idle" : "gone");
      if (person.at !== "idle") return [];
      if (p === canceller) return this.cancels(state, p);
      return p === sweep ? this.sweeps(state, p) : this.answers(state, p);
    });
  }

  /** Reads what can be answered. The journal may be newer than the document, in which case it only refuses more. */
  private answers(state: State, p: number): Step<State>[] {
    const steps: Step<State>[] = [];
    for (const [e, doc] of state.docs.entries()) {
      const { status, questions } = this.rules.view(state.journals[e]!);
      if (isFinal(status) || isFinal(doc.status as never)) continue;
      for (const { nodeId, attempt } of questions) {
        if (isClosed(doc, nodeId)) continue;
        const write = writes.deliver(e, doc, { nodeId, attempt, answer: p });
        const person: Person = { at: "answering", execution: e, nodeId, write };
        steps.push({ name: `person ${p} answers ${nodeId} of ${e}`, to: become(state, p, person) });
      }
    }
    return steps;
  }

  private answering(state: State, p: number, { execution, nodeId, write }: Person & { at: "answering" }): Step<State> {
    const { state: after, matched } = this.store.write(state, write);
    if (!matched) return { name: `the answer of ${p} comes too late`, to: become(state, p, { at: "idle" }) };
    return { name: `the answer of ${p} is taken`, to: become(after, p, { at: "answered", execution, nodeId }) };
  }

  /** Nothing may depend on a cancellation, because it may never come. */
  private cancels(state: State, p: number): Step<State>[] {
    const open = [...state.docs.keys()].filter(e => !isFinal(state.docs[e]!.status as never));
    return open.map(e => ({
      name: `somebody cancels ${e}`,
      to: become(state, p, this.cancelOf(state, e)),
      fault: true,
    }));
  }

  private sweeps(state: State, p: number): Step<State>[] {
    const isCutOff = ({ cancelling, undoes }: Doc) => cancelling === true || undoes === "intended";
    const open = [...state.docs.entries()].filter(([, doc]) => isCutOff(doc) && !isFinal(doc.status as never));
    return open.map(([e]) => ({
      name: `the cancel of ${e} is taken up`,
      to: become(state, p, this.cancelOf(state, e)),
    }));
  }

  private cancelOf(state: State, e: number): Person {
    const journal = state.journals[e]!;
    const { status } = this.rules.view(journal);
    if (isFinal(status)) return { at: "cancelling", execution: e, left: [writes.repair(e, status)] };
    const undoing = this.undoes ? this.undo(e, journal) : null;
    if (undoing) return { at: "cancelling", execution: e, left: undoing };
    const left = [writes.append(e, this.rules.cancelled(journal)), writes.cancel(e)];
    return {
      at: "cancelling",
      execution: e,
      left: this.variant.withoutCancelIntent ? left : [writes.intend(e), ...left],
    };
  }

  /** The writes of a cancel that lets the run compensate; null if there is nothing to undo. */
  private undo(e: number, journal: JournalNumber): Write[] | null {
    const { undoing } = this.rules.view(journal);
    if (undoing === "failed") return [writes.forgetUndo(e)];
    if (undoing === "cancelled") return [writes.queueUndo(e)];
    const append = this.rules.compensating(journal);
    return append && [writes.intendUndo(e), writes.append(e, append), writes.queueUndo(e)];
  }

  private cancelling(
    state: State,
    p: number,
    person: Person & { at: "cancelling" },
    after: "idle" | "gone",
  ): Step<State>[] {
    const [write, ...left] = person.left as [Write, ...Write[]];
    const written = this.store.write(state, write);
    const steps: Step<State>[] = [];
    if (written.matched === "conflict")
      steps.push({ name: "the cancel is passed by", to: become(state, p, { at: "idle" }) });
    else {
      const next: Person = left.length > 0 ? { ...person, left } : { at: after };
      steps.push({ name: `the cancel writes (${writes.nameOf(write)})`, to: become(written.state, p, next) });
    }
    const { faults } = state;
    if (faults.crashes > 0) {
      const fewer = { ...state, faults: { ...faults, crashes: faults.crashes - 1 } };
      steps.push({ name: "who cancels crashes", to: become(fewer, p, { at: after }), fault: true });
    }
    return steps;
  }
}

const become = (state: State, p: number, person: Person): State => ({
  ...state,
  people: state.people.with(p, someone(person)),
});
