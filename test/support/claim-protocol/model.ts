import { isFinal } from "../../../core/run/state.ts";
import { matches, type Doc } from "./documents.ts";
import type { Protocol, Step } from "./explore.ts";
import { People } from "./people.ts";
import { Rules } from "./rules.ts";
import { EMPTY, someone, textOf, worker, type State } from "./state.ts";
import { ModelStore } from "./store.ts";
import { Tasks, withHand } from "./tasks.ts";
import * as writes from "./writes.ts";
import type { Variant } from "./writes.ts";

export interface Scenario {
  /** Edges of the workflow. See `Rules`. */
  edges?: string[];
  alone?: string[];
  workers: number;
  executions?: number;
  crashes?: number;
  /** How often a live worker is taken for dead. */
  lapses?: number;
  /** How many writes fail for their sender, who continues, and then arrive late or not at all. */
  timeouts?: number;
  answerers?: number;
  /** Whether someone cancels. With `undoing`, the run compensates. */
  canceller?: boolean | "undoing";
  /** Appends are several writes, one per entry, like appends that do not fit into one document. */
  cutAppends?: boolean;
  variant?: Variant;
}

/**
 * How executions are claimed, run, handed over and ended by workers that share only the store. The rules of a run and
 * the entries of its journal are the real ones, and each write of the protocol has its real filter and change.
 *
 * Abstracted: time (a wait may be over for one worker and not for another at any moment, because clocks may differ),
 * the order of the queue (any queued execution may be claimed), the work of steps, limits of held executions, and
 * subworkflows. Every write stands alone, as on MongoDB. The embedded store commits lists of writes together, so its
 * behaviour is a subset.
 */
export class ClaimProtocol implements Protocol<State> {
  readonly initial: State;
  readonly key = textOf;
  private readonly rules: Rules;
  private readonly store: ModelStore;
  private readonly tasks: Tasks;
  private readonly people: People;
  private readonly variant: Variant;

  constructor(scenario: Scenario) {
    const {
      edges = [],
      alone,
      workers,
      executions = 1,
      answerers = 0,
      canceller = false,
      cutAppends = false,
    } = scenario;
    const { crashes = 0, lapses = 0, timeouts = 0, variant = {} } = scenario;
    this.variant = variant;
    this.rules = new Rules(edges, alone);
    this.store = new ModelStore(this.rules, variant);
    this.tasks = new Tasks(this.rules, this.store, variant, cutAppends);
    this.people = new People(this.rules, this.store, variant, canceller === "undoing");
    const each = <T>(count: number, item: T): T[] => new Array<T>(count).fill(item);
    this.initial = {
      docs: each<Doc>(executions, { status: "pending", queued: true }),
      journals: each(executions, this.rules.start),
      ended: each(executions, false),
      workers: each(workers, worker(true, each(executions, EMPTY))),
      people: [...each(answerers, someone({ at: "idle" })), ...each(2, someone({ at: canceller ? "idle" : "gone" }))],
      late: [],
      faults: { crashes, lapses, timeouts },
    };
  }

  isEnd(state: State): boolean {
    const isAtRest = ({ queued, workerId, wakeAt }: Doc) => !queued && workerId === undefined && !wakeAt;
    const isIdle = state.workers.every(({ hands }) => hands.every(({ task }) => task === null));
    return isIdle && state.ended.every(Boolean) && state.docs.every(isAtRest);
  }

  wrong(state: State): string | null {
    for (const [e, doc] of state.docs.entries()) {
      const view = this.rules.view(state.journals[e]!);
      if (view.wrong) return view.wrong;
      const isEnded = isFinal(doc.status as never);
      if (state.ended[e] && !isEnded) return `what has ended is ${doc.status} again`;
      if (isEnded && doc.status !== view.status) return `it is shown as ${doc.status}; its journal says ${view.status}`;
      const taken = new Map<string, number>();
      for (const [p, { person }] of state.people.entries()) {
        if (person.at !== "answered" || person.execution !== e) continue;
        if (taken.has(person.nodeId)) return "two answers to one question were taken";
        taken.set(person.nodeId, p);
      }
      const undoes = view.undoing !== null || view.status === "failed";
      if (isFinal(view.status) && undoes && view.toUndo.length > 0)
        return `it ended and has not undone ${view.toUndo.join()}`;
      if (view.status !== "completed") continue;
      for (const [nodeId, p] of taken) if (view.answered[nodeId] !== p) return "an answer was taken and is lost";
    }
    return null;
  }

  next(state: State): Step<State>[] {
    const steps = [...this.people.next(state), ...this.lateWrites(state)];
    for (const [w, { alive }] of state.workers.entries()) {
      steps.push(...this.lives(state, w));
      if (!alive) continue;
      for (const e of state.docs.keys()) steps.push(...this.takes(state, w, e), ...this.tasks.next(state, w, e));
    }
    return steps;
  }

  /** A worker dies, or is taken for dead. */
  private lives(state: State, w: number): Step<State>[] {
    const { workers, faults, docs } = state;
    const { alive, hands } = workers[w]!;
    if (!workers.some((other, v) => other.alive && v !== w)) return [];
    const steps: Step<State>[] = [];
    if (alive && faults.crashes > 0) {
      const dead = workers.with(
        w,
        worker(
          false,
          hands.map(() => EMPTY),
        ),
      );
      const to = { ...state, workers: dead, faults: { ...faults, crashes: faults.crashes - 1 } };
      steps.push({ name: `${w} crashes`, to, fault: true });
    }
    if (this.variant.withoutSweep || !docs.some(doc => doc.workerId === w)) return steps;
    const { state: swept } = this.store.write(state, writes.writeOf.giveBack(w));
    if (!alive) steps.push({ name: `what ${w} held is given back`, to: swept });
    else if (faults.lapses > 0) {
      const to = { ...swept, faults: { ...faults, lapses: faults.lapses - 1 } };
      steps.push({ name: `${w} is believed dead, and what it holds is given back`, to, fault: true });
    }
    return steps;
  }

  /** A worker claims. It returns executions that it does not know, and queues those that are due. */
  private takes(state: State, w: number, e: number): Step<State>[] {
    const steps: Step<State>[] = [];
    const { task } = state.workers[w]!.hands[e]!;
    const doc = state.docs[e]!;
    const { faults, late } = state;
    if (matches(doc, writes.claim(w).filter)) {
      const claim = writes.writeOf.claim(e, w);
      const { state: after } = this.store.write(state, claim);
      // If the worker already holds the execution, it continues as if nothing had happened.
      const to = task ? after : withHand(after, w, e, { at: "taking", doc: after.docs[e]! });
      steps.push({ name: `${w} claims ${e}`, to });
      if (faults.timeouts > 0) {
        const unsure = { ...state, late: [...late, claim], faults: { ...faults, timeouts: faults.timeouts - 1 } };
        steps.push({ name: `${w} claims ${e} and hears nothing of it`, to: unsure, fault: true });
      }
    }
    if (doc.workerId === w && !task && !this.variant.withoutOrphanReturn)
      steps.push({
        name: `${w} returns the orphan ${e}`,
        to: this.store.write(state, writes.returnOrphan(e, w)).state,
      });
    if (doc.wakeAt) steps.push({ name: `${e} is woken`, to: this.store.write(state, writes.wake(e)).state });
    return steps;
  }

  private lateWrites(state: State): Step<State>[] {
    return state.late.map((write, i) => {
      const { state: to } = this.store.write({ ...state, late: state.late.toSpliced(i, 1) }, write);
      return { name: `late: ${writes.nameOf(write)}`, to, fault: true };
    });
  }
}
