import type { Protocol, Step } from "./claim-protocol/explore.ts";

/** A stored signal. `takenBy` is the number of a wait, or `sender`. */
interface Signal {
  takenBy: number | "sender" | null;
  delivered: boolean;
  offered: readonly number[];
}

/** The state of a sender. It is lost when its process dies, and the sender then sends again. */
type Sender =
  | { at: "idle" | "answered" | "looking" | "releasing" }
  | { at: "claiming"; page: readonly number[] }
  | { at: "giving"; page: readonly number[]; given: boolean }
  | { at: "noting" }
  | { at: "helping"; takenBy: number }
  | { at: "helped"; takenBy: number; given: boolean };

/** The work of the worker that holds the run of a wait. */
type Worker =
  | { at: "before" | "writing" | "looking" | "parked" }
  | { at: "claiming" | "giving" | "settling"; signal: number; seen: Signal["takenBy"]; given: boolean };

interface State {
  signals: readonly (Signal | null)[];
  senders: readonly Sender[];
  workers: readonly Worker[];
  /** Whether the document exists with which signals find the wait. */
  docs: readonly boolean[];
  /** What has ended each wait: a numbered signal, or the expiry. */
  ended: readonly (number | "time" | null)[];
  crashes: number;
  timeOver: number;
}

export interface Variant {
  /** Steps take a signal while its sender gives it to others. */
  withoutSenderClaim?: boolean;
  /** Steps take stored signals without a claim. */
  withoutClaim?: boolean;
  /** A worker parks its run although the wait has not searched for stored signals. */
  withoutLook?: boolean;
  /** A sender leaves a claimed signal to the step that claimed it. */
  withoutHelp?: boolean;
  /** Claims are kept although the wait ended for another reason. */
  withoutStale?: boolean;
  /** A sender does not search again after it has released a signal. */
  withoutSecondLook?: boolean;
}

export interface Scenario {
  signals: number;
  waits: number;
  crashes?: number;
  timeOver?: number;
  variant?: Variant;
}

/**
 * How signals meet waits in the store. Each step of this model is one read or one write of the product's code. Every
 * process may die between two of them. Senders then send again with the same id, and another worker takes over the run
 * of a wait. All signals and waits have the same name and key, and the waits follow one another in one run. So a signal
 * that reaches two of them was delivered twice.
 */
export class SignalProtocol implements Protocol<State> {
  readonly initial: State;
  readonly #variant: Variant;

  constructor({ signals, waits, crashes = 0, timeOver = 0, variant = {} }: Scenario) {
    const each = <T>(count: number, item: T): T[] => new Array<T>(count).fill(item);
    this.#variant = variant;
    this.initial = {
      signals: each(signals, null),
      senders: each(signals, { at: "idle" }),
      workers: each(waits, { at: "before" }),
      docs: each(waits, false),
      ended: each(waits, null),
      crashes,
      timeOver,
    };
  }

  key = (state: State): string => JSON.stringify(state);

  isEnd({ senders, workers }: State): boolean {
    return senders.every(({ at }) => at === "answered") && workers.every(({ at }) => at === "parked");
  }

  wrong(state: State): string | null {
    const { signals, ended } = state;
    for (const s of signals.keys()) if (ended.filter(end => end === s).length > 1) return "a signal came twice";
    if (!this.isEnd(state)) return null;
    for (const [s, signal] of signals.entries()) {
      const came = ended.includes(s);
      if (signal?.delivered && !came) return "a signal is said to be delivered and never came";
      if (came && !signal?.delivered && signal?.takenBy === null) return "a signal came and is kept all the same";
      if (!came && ended.includes(null)) return "a signal is kept although a step waits for it";
    }
    return null;
  }

  next(state: State): Step<State>[] {
    return [
      ...state.senders.flatMap((_, s) => this.#sender(state, s)),
      ...state.workers.flatMap((_, w) => this.#worker(state, w)),
    ];
  }

  #give(state: State, s: number, w: number): { state: State; given: boolean } {
    const docs = state.docs.with(w, false);
    if (state.ended[w] === s) return { state: { ...state, docs }, given: true };
    if (state.ended[w] !== null) return { state: { ...state, docs }, given: false };
    return { state: { ...state, docs, ended: state.ended.with(w, s) }, given: true };
  }

  #sender(state: State, s: number): Step<State>[] {
    const me = state.senders[s]!;
    const signal = state.signals[s] ?? null;
    const become = (next: Sender, from = state): State => ({ ...from, senders: from.senders.with(s, next) });
    const change = (after: Partial<Signal>, from = state): State => ({
      ...from,
      signals: from.signals.with(s, { takenBy: null, delivered: false, offered: [], ...signal, ...after }),
    });
    const steps: Step<State>[] = [];
    if (me.at !== "idle" && me.at !== "answered" && state.crashes > 0)
      steps.push({
        name: `the process of sender ${s} dies`,
        to: { ...become({ at: "idle" }), crashes: state.crashes - 1 },
        fault: true,
      });
    /** The next step of a sender whose signal is claimed: it completes the work of the claimant. */
    const taken = (): Sender => {
      const { takenBy = null, delivered = true } = signal ?? {};
      if (delivered || typeof takenBy !== "number" || this.#variant.withoutHelp) return { at: "answered" };
      return { at: "helping", takenBy };
    };
    const isFree = signal !== null && !signal.delivered && (signal.takenBy === null || signal.takenBy === "sender");
    switch (me.at) {
      case "idle": {
        if (!signal) steps.push({ name: `${s} is stored`, to: become({ at: "releasing" }, change({})) });
        else if (!isFree) steps.push({ name: `${s} is sent again`, to: become(taken()) });
        else {
          const page = signal.takenBy === "sender" ? signal.offered : [];
          const next: Sender = page.length > 0 ? { at: "giving", page, given: false } : { at: "releasing" };
          steps.push({ name: `${s} is sent again`, to: become(next) });
        }
        break;
      }
      case "releasing": {
        const after = isFree ? become({ at: "looking" }, change({ takenBy: null, offered: [] })) : become(taken());
        steps.push({ name: `${s} may be taken`, to: after });
        break;
      }
      case "looking": {
        const page = [...state.docs.keys()].filter(w => state.docs[w]);
        const next: Sender = page.length > 0 ? { at: "claiming", page } : { at: "answered" };
        steps.push({ name: `${s} looks for waits`, to: become(next) });
        break;
      }
      case "claiming": {
        const { page } = me;
        const giving: Sender = { at: "giving", page, given: false };
        if (this.#variant.withoutSenderClaim) steps.push({ name: `${s} claims nothing`, to: become(giving) });
        else if (isFree)
          steps.push({ name: `${s} is claimed`, to: become(giving, change({ takenBy: "sender", offered: page })) });
        else steps.push({ name: `${s} was taken`, to: become(taken()) });
        break;
      }
      case "helping": {
        const { state: after, given } = this.#give(state, s, me.takenBy);
        steps.push({ name: `${s} is given to its claimant`, to: become({ ...me, at: "helped", given }, after) });
        break;
      }
      case "helped": {
        const isMine = signal?.takenBy === me.takenBy && !signal.delivered;
        const after = me.given ? { delivered: true } : { takenBy: null, offered: [] };
        const to = become({ at: me.given ? "answered" : "releasing" }, isMine ? change(after) : state);
        steps.push({ name: `the claim on ${s} is settled`, to });
        break;
      }
      case "giving": {
        const [w, ...rest] = me.page;
        if (w === undefined) {
          const none: Sender = this.#variant.withoutSecondLook ? { at: "answered" } : { at: "releasing" };
          const released =
            this.#variant.withoutSecondLook && !me.given ? change({ takenBy: null, offered: [] }) : state;
          steps.push({ name: `${s} was offered to all`, to: become(me.given ? { at: "noting" } : none, released) });
          break;
        }
        const { state: after, given } = this.#give(state, s, w);
        const next: Sender = { at: "giving", page: rest, given: me.given || given };
        steps.push({ name: `${s} is given to ${w}`, to: become(next, after) });
        break;
      }
      case "noting":
        steps.push({
          name: `${s} is noted as delivered`,
          to: become({ at: "answered" }, change({ delivered: true, takenBy: null, offered: [] })),
        });
        break;
      case "answered":
        break;
    }
    return steps;
  }

  /** A claim does not count if its wait ended for another reason. */
  #isFree({ ended }: State, s: number, takenBy: Signal["takenBy"], w: number): boolean {
    if (takenBy === null || takenBy === w) return true;
    if (takenBy === "sender" || this.#variant.withoutStale) return false;
    return ended[takenBy] !== null && ended[takenBy] !== s;
  }

  #worker(state: State, w: number): Step<State>[] {
    const me = state.workers[w]!;
    const become = (next: Worker, from = state): State => ({ ...from, workers: from.workers.with(w, next) });
    const steps: Step<State>[] = [];
    if (me.at !== "before" && me.at !== "parked" && state.crashes > 0)
      steps.push({
        name: `the worker of ${w} dies`,
        to: { ...become({ at: "writing" }), crashes: state.crashes - 1 },
        fault: true,
      });
    if (me.at !== "before" && state.ended[w] === null && state.timeOver > 0)
      steps.push({
        name: `the time of ${w} is over`,
        to: { ...state, ended: state.ended.with(w, "time"), timeOver: state.timeOver - 1 },
        fault: true,
      });
    // The append that puts a claimed signal into the journal also marks the signal as delivered.
    for (const [s, signal] of state.signals.entries())
      if (signal && state.ended[w] === s && signal.takenBy === w && !signal.delivered) {
        const noted = { ...state, signals: state.signals.with(s, { ...signal, delivered: true }) };
        steps.push({ name: `the run of ${w} goes on`, to: noted });
      }
    switch (me.at) {
      case "before":
        // The waits of one run follow one another.
        if (w === 0 || state.ended[w - 1] !== null) steps.push({ name: `${w} begins`, to: become({ at: "writing" }) });
        break;
      case "writing": {
        // A run that continues after a crash writes the document only for a wait that is open in its journal.
        const docs = state.ended[w] === null ? state.docs.with(w, true) : state.docs;
        const next: Worker = { at: this.#variant.withoutLook || state.ended[w] !== null ? "parked" : "looking" };
        steps.push({ name: `${w} can be found`, to: become(next, { ...state, docs }) });
        break;
      }
      case "looking": {
        const found = state.signals.findIndex(
          (signal, s) => signal !== null && !signal.delivered && this.#isFree(state, s, signal.takenBy, w),
        );
        const next: Worker =
          found < 0
            ? { at: "parked" }
            : { at: "claiming", signal: found, seen: state.signals[found]!.takenBy, given: false };
        steps.push({ name: `${w} looks for signals`, to: become(next) });
        break;
      }
      case "claiming": {
        const signal = state.signals[me.signal]!;
        const mine = !signal.delivered && signal.takenBy === me.seen;
        if (this.#variant.withoutClaim)
          steps.push({ name: `${w} takes ${me.signal}`, to: become({ ...me, at: "giving" }) });
        else if (mine)
          steps.push({
            name: `${w} claims ${me.signal}`,
            to: become(
              { ...me, at: "giving" },
              { ...state, signals: state.signals.with(me.signal, { ...signal, takenBy: w }) },
            ),
          });
        else steps.push({ name: `${w} looks on`, to: become({ at: "looking" }) });
        break;
      }
      case "giving": {
        const { state: after, given } = this.#give(state, me.signal, w);
        steps.push({ name: `${w} gets ${me.signal}`, to: become({ ...me, at: "settling", given }, after) });
        break;
      }
      case "settling": {
        const signal = state.signals[me.signal]!;
        const settled: Signal = { ...signal, takenBy: me.given ? signal.takenBy : null, delivered: me.given };
        const isMine = signal.takenBy === w || this.#variant.withoutClaim;
        const signals = isMine ? state.signals.with(me.signal, settled) : state.signals;
        steps.push({ name: `${w} settles ${me.signal}`, to: become({ at: "parked" }, { ...state, signals }) });
        break;
      }
      case "parked":
        break;
    }
    return steps;
  }
}
