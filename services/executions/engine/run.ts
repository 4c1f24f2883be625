import type { WriteOp } from "../../../adapters/store/port.ts";
import type { WorkflowGraph } from "../../../core/graph/graph.ts";
import { advance, type RunInput } from "../../../core/run/advance.ts";
import type { StepEntry } from "../../../core/run/entry.ts";
import type { RunState } from "../../../core/run/state.ts";
import { awaitsSignal } from "../../../core/run/waits.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import { answeredBy, answerWrites, type Asked } from "./answer-writes.ts";
import { cancelOrphans, writeWithChildren } from "./child-writes.ts";
import { graphOf, type RunnableWorkflow } from "./workflow-cache.ts";
import { ValueOffload } from "./offload-values.ts";
import { EventWaits } from "./event-waits.ts";
import { expireQuestions } from "./expire-questions.ts";
import { insertWrites } from "../store/labels.ts";
import { forgetSignals } from "../store/deliver.ts";
import { ExecutionJournal } from "../store/journal.ts";
import { dueInputs, msUntilDue } from "./deadline.ts";
import { givesUp, type LiveSteps } from "./live-steps.ts";
import type { RunObserver, LeaveReason, Opening } from "./observer.ts";
import type { EngineParts } from "./parts.ts";
import { runInfoOf, type RunInfo } from "./perform-at.ts";
import { Performing } from "./performing.ts";
import { projected, projectionOf, type RunPlacement } from "./projection.ts";
import { inputsOfSignals } from "./signals.ts";

/** One append: its entries, and the reports of steps that they contain. */
interface Move {
  entries: StepEntry[];
  said: ReturnType<LiveSteps["takeSaid"]>;
  asked: Asked[];
}

/** An execution that this worker holds: performs its steps and appends their results. */
export class Run {
  doc: ExecutionDoc;
  readonly state: RunState;
  readonly graph: WorkflowGraph;
  readonly about: RunInfo;
  readonly parts: EngineParts;
  private readonly journal: ExecutionJournal;
  readonly observer: RunObserver;
  private readonly onLeave: (run: Run, why: LeaveReason, error?: unknown) => void;
  private readonly inbox: RunInput[] = [];
  private readonly performing: Performing;
  private readonly steps: LiveSteps;
  /** Whether pure steps may be performed before the next append. */
  private goesAhead: boolean;
  /** The seq of the last signal taken from the inbox, and of the last one that is in the journal as well. */
  private taken: number;
  private kept: number;
  private timer: NodeJS.Timeout | undefined;
  private appending = false;
  private isSignalled = false;
  private listening: Promise<void> | undefined;
  hasLeft = false;
  private readonly offload: ValueOffload;
  private readonly events: EventWaits;

  constructor(
    doc: ExecutionDoc,
    state: RunState,
    workflow: RunnableWorkflow,
    parts: EngineParts,
    onLeave: (run: Run, why: LeaveReason, error?: unknown) => void,
  ) {
    this.doc = doc;
    this.state = state;
    this.about = runInfoOf(doc, workflow);
    this.graph = graphOf(workflow);
    this.parts = parts;
    this.journal = new ExecutionJournal(parts.store, doc.workspaceId, doc.id);
    this.offload = new ValueOffload(parts.values, doc);
    this.events = new EventWaits(parts, doc, state);
    this.observer = parts.observer.run(doc, state, this.graph);
    this.onLeave = onLeave;
    this.performing = new Performing(this);
    this.steps = this.performing.live;
    // A step that crashes its worker must be stored as started. Otherwise no worker would count the crash.
    this.goesAhead = !doc.lost;
    this.taken = doc.inboxed ?? 0;
    this.kept = doc.inbox ? 0 : this.taken;
    if (!doc.lost && !state.undoing) state.orphans.length = 0; // the former worker has cancelled them
  }

  /** Handles the first inputs. All work that follows is traced to this run too. */
  start(inputs: RunInput[], opening?: Opening): Promise<void> {
    return this.observer.within(() => this.drive(inputs, opening));
  }

  /** Handles inputs and appends until nothing is left to append. `opening` comes with the first input of a new run. */
  drive(inputs: RunInput[], opening?: Opening): Promise<void> {
    this.inbox.push(...inputs);
    return this.appending || this.hasLeft ? Promise.resolve() : this.takeAllIn(opening);
  }

  private async takeAllIn(opening: Opening | undefined): Promise<void> {
    this.appending = true;
    const hasInputs = () => this.inbox.length > 0;
    let move: Move = { entries: [], said: [], asked: [] };
    try {
      for (let rest: RunPlacement | undefined; !this.hasLeft && (!rest || hasInputs());) {
        move = { entries: [], said: [], asked: [] };
        const entries = this.takeIn(move);
        if (this.goesAhead) {
          await this.performing.goAhead(entries, hasInputs, () => this.takeIn(move));
          // The append includes the last inputs too, because it counts all signals up to this moment as taken.
          if (hasInputs()) this.takeIn(move);
          if (this.hasLeft && !opening) break;
        }
        this.goesAhead = true;
        rest = await this.append(move, opening);
        opening?.stored(rest === "ended" ? { doc: this.doc, state: this.state } : undefined);
        opening = undefined;
        this.forget(move.entries);
        this.steps.settleBy(move.said, this.state);
        await this.performing.launch(move.entries);
        if (!rest) await this.hear();
        else if (rest !== "here") this.leave(rest);
        else if (this.events.isMeeting && !hasInputs()) {
          await this.events.meet();
          await this.hear();
          rest = undefined;
        } else if (!this.hasLeft && !hasInputs()) this.armTimer();
      }
    } catch (error) {
      opening?.failed(error);
      this.leave(opening ? "unborn" : "lost", error);
    } finally {
      // Stored reports are settled already, so this rejects only the others.
      this.steps.settle(move.said, false);
      this.appending = false;
    }
  }

  /** Handles the inputs that have arrived. Returns the resulting entries. */
  private takeIn(move: Move): StepEntry[] {
    const around = { now: new Date().toISOString(), random: Math.random() };
    move.said.push(...this.steps.takeSaid());
    move.asked.push(...answeredBy(this.state, this.inbox));
    const entries = advance(this.graph, this.state, this.inbox.splice(0), around);
    for (const entry of entries) move.entries.push(entry);
    return entries;
  }

  /**
   * Appends to the journal and updates the projection. Returns the state that was stored, because the clock alone could
   * change it a moment later. Returns undefined if the run cannot be parked as planned.
   */
  private async append({ entries, asked }: Move, opening?: Opening): Promise<RunPlacement | undefined> {
    const { store, workerId, watch } = this.parts;
    const waits = this.events.writes(this.state, entries);
    const projection = projectionOf(this.graph, this.state, this.doc, entries, this.events.isMeeting);
    const doc = projected(this.doc, projection);
    const ops: WriteOp[] = [...(opening ? insertWrites(store, doc, this.doc.openKey) : []), ...waits];
    // Signals that arrive during this write are not part of it, so the write must not remove them from the inbox.
    const { taken } = this;
    const forgets = !opening && this.kept < taken && !projection?.leaves;
    if (forgets) ops.push(...forgetSignals(store, doc, workerId, taken));
    if (!opening && projection) {
      const mine = { id: doc.id, workerId, ...(projection.leaves === "parked" && { inboxed: taken || null }) };
      ops.push(store.tenant(Executions, doc.workspaceId).ops.updateOne(mine, projection.change));
    }
    // The code above must see the run as it was when the entries were made, so nothing may await before this line.
    const offloaded = await this.offload.of(entries, this.state);
    // The journal first: where the two do not commit together, it is the source of truth and the projection follows it.
    const appends = await this.journal.appends(opening ? [opening.created, ...offloaded] : offloaded);
    appends.unshift(...answerWrites(store, doc, this.graph, asked, entries));
    const began = performance.now();
    const written = await writeWithChildren(this.parts, this.state, doc, entries, appends, ops);
    this.observer.appended(entries, performance.now() - began);
    if (forgets) this.kept = taken;
    if (appends.length > 0) watch.announce(doc.id, this.state.seq);
    if (projection?.leaves === "parked" && !opening && written.at(-1) === 0) return undefined;
    if (opening || projection) watch.news.execution(doc.workspaceId, doc.id, [this.doc.asking ?? 0, doc.asking ?? 0]);
    if (!projection?.leaves && doc.followUpId !== this.doc.followUpId) this.parts.followUp(doc);
    this.doc = doc;
    return projection?.leaves ?? "here";
  }

  /** Takes in new signals. Leaves the run if another worker holds it or has appended to its journal. */
  private async hear(): Promise<void> {
    const { store, workerId } = this.parts;
    const { id, workspaceId } = this.doc;
    const doc = await store.tenant(Executions, workspaceId).get({ id });
    if (doc?.workerId !== workerId) return this.leave("parked");
    const fresh = await inputsOfSignals(this.parts, doc, this.taken);
    // Signals refer to the current journal. A worker that does not know all of it would misread and lose them.
    if (((await this.journal.last())?.seq ?? -1) > this.state.seq) return this.leave("lost");
    this.taken = doc.inboxed ?? 0;
    this.doc = { ...this.doc, inbox: doc.inbox ?? [], inboxed: this.taken };
    this.inbox.push(...fresh);
  }

  /**
   * Reports that signals have arrived, or may have. Signals that arrive during a read are handled together by the next
   * read.
   */
  signal(): Promise<void> {
    this.isSignalled = true;
    return (this.listening ??= this.observer.within(() => this.listen()));
  }

  private async listen(): Promise<void> {
    try {
      while (this.isSignalled && !this.hasLeft) {
        this.isSignalled = false;
        await expireQuestions(this.parts.store, this.doc, this.state, new Date().toISOString());
        await this.hear();
        if (!this.hasLeft && this.inbox.length > 0) await this.drive([]);
      }
    } catch (error) {
      this.leave("lost", error);
    } finally {
      this.listening = undefined;
    }
  }

  /** Aborts the steps of items that were given up, and cancels the child executions that they waited for. */
  private forget(entries: StepEntry[]): void {
    cancelOrphans(this.parts, this.state, this.doc);
    if (entries.some(givesUp)) this.steps.abortOthers(this.state);
  }

  private armTimer(): void {
    clearTimeout(this.timer);
    const ms = msUntilDue(this.graph, this.state, Date.now());
    if (ms !== null) this.timer = setTimeout(() => void this.wake(), ms);
  }

  private async wake(): Promise<void> {
    const inputs = dueInputs(this.graph, this.state, new Date().toISOString());
    if (awaitsSignal(this.state)) await this.signal();
    await this.drive(inputs);
  }

  /** Ends this worker's part in the run. The journal does not change. */
  leave(why: LeaveReason, error?: unknown): void {
    if (this.hasLeft) return;
    this.hasLeft = true;
    clearTimeout(this.timer);
    this.steps.abortAll();
    this.observer.left(why);
    this.onLeave(this, why, error);
  }

  /** Whether no step and no append of this run is in progress here. */
  get isQuiet(): boolean {
    return !this.appending && this.steps.isEmpty;
  }
}
