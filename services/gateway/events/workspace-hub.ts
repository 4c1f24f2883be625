import type { ServiceBroker } from "moleculer";
import { call, hint } from "../../../contracts/call.ts";
import type { ExecutionSummary } from "../../../contracts/entities/execution.ts";
import { type STREAM_EVENTS, type WorkspaceEventName } from "../../../contracts/entities/workspace-event.ts";
import type { EventOf } from "../../../contracts/events.ts";
import type { StreamCaller, StreamEvent } from "./feed.ts";
import { WorkspaceHistory } from "./workspace-history.ts";

/** How often this node tells the others that it follows this workspace, and how long that is valid. */
const WATCH_MS = 10_000;
const WATCH_FOR_MS = 25_000;
/** Hints can be lost, so at this interval the newest executions are compared with what was sent. */
const COMPARE_MS = 10_000;
const COMPARED = 100;
const MAX_KNOWN = 1_000;
/** How many executions are read at the same time. */
const READ_AT_ONCE = 100;
/** If more changed executions than this are waiting, clients are told to reload. */
const MAX_WAITING = 500;
const CALL_TIMEOUT_MS = 5_000;
const RETRY_MS = 1_000;

const stateOf = ({ status, attempt, startedAt, finishedAt, suspension }: ExecutionSummary): string =>
  JSON.stringify([status, attempt, startedAt, finishedAt, suspension?.nodeId, suspension?.question]);

/** The events of one workspace that clients of this node follow. */
export class WorkspaceHub {
  readonly #broker: ServiceBroker;
  readonly #workspaceId: string;
  readonly #told: (id: number) => void;
  readonly #timers: NodeJS.Timeout[] = [];
  /** The executions to read, with their numbers of open questions before the first change and after the last one. */
  #waiting = new Map<string, readonly [number, number]>();
  #reading = false;
  #closed = false;
  /** The last state of each execution that clients were told, the most recent last. */
  readonly #known = new Map<string, string>();
  #compared = false;
  #reader: StreamCaller | undefined;
  readonly history: WorkspaceHistory;

  /** `told` is called with the id of each new event. */
  constructor(broker: ServiceBroker, workspaceId: string, told: (id: number) => void) {
    this.#broker = broker;
    this.#workspaceId = workspaceId;
    this.#told = told;
    this.history = new WorkspaceHistory();
    this.watch();
    this.#timers.push(setInterval(() => this.watch(), WATCH_MS).unref());
    this.#timers.push(setInterval(() => void this.#compare(), COMPARE_MS).unref());
  }

  /** Tells all nodes that this workspace is followed here. */
  watch(): void {
    hint(this.#broker, "all", "workspace.watched", { workspaceId: this.#workspaceId, forMs: WATCH_FOR_MS });
  }

  /** Comparisons use the rights of a recently checked follower. The first follower triggers a comparison at once. */
  async readAs(reader: StreamCaller): Promise<void> {
    const isFirst = !this.#reader;
    this.#reader = reader;
    if (isFirst) await this.#compare();
  }

  /** Handles changes that a service reports, on this or another node. */
  heard({ changes, lost }: EventOf<"workspace.changed">): void {
    if (lost) return this.reset();
    for (const change of changes) {
      if (change.kind === "event") this.push(change.event, change.data);
      else {
        const before = this.#waiting.get(change.id);
        this.#waiting.set(change.id, [before?.[0] ?? change.asked[0], change.asked[1]]);
      }
    }
    if (this.#waiting.size > MAX_WAITING) this.reset();
    void this.#read();
  }

  /** Tells all clients to reload what they show, because events may be missing. */
  reset(): void {
    this.#waiting.clear();
    this.push("reset", { at: new Date().toISOString() });
  }

  /**
   * Compares the newest executions with the last state that clients were told, and sends the differences. The first
   * comparison only records the state.
   */
  async #compare(): Promise<void> {
    const reader = this.#reader;
    if (!reader || this.#closed) return;
    const input = { workspaceId: this.#workspaceId, limit: COMPARED };
    try {
      const { items } = await call(this.#broker, "executions.listAll", input, reader.options);
      for (const summary of items.toReversed()) {
        if (this.#know(summary) && this.#compared) this.push("execution.changed", summary);
      }
      this.#compared = true;
    } catch {
      // The next comparison finds the same changes.
    }
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
  }

  push(event: WorkspaceEventName | (typeof STREAM_EVENTS)[number], data: object): void {
    const made: StreamEvent = this.history.add(event, data);
    this.#told(made.id);
  }

  /** Records the state of an execution that clients are told. Returns whether it is new. */
  #know(summary: ExecutionSummary): boolean {
    const state = stateOf(summary);
    const isNew = this.#known.get(summary.id) !== state;
    this.#known.delete(summary.id);
    this.#known.set(summary.id, state);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return isNew;
  }

  /** Reads the changed executions in batches and sends their new states. */
  async #read(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#waiting.size > 0 && !this.#closed) {
        const some = [...this.#waiting].slice(0, READ_AT_ONCE);
        const input = { workspaceId: this.#workspaceId, ids: some.map(([id]) => id) };
        const found = await call(this.#broker, "executions.summaries", input, { timeout: CALL_TIMEOUT_MS });
        // Executions that changed meanwhile are read again.
        for (const [id, asked] of some) if (this.#waiting.get(id) === asked) this.#waiting.delete(id);
        const asked = new Map(some);
        for (const { summary, open } of found) this.#publish(summary, asked.get(summary.id) ?? [0, 0], open);
      }
    } catch {
      if (!this.#closed) setTimeout(() => void this.#read(), RETRY_MS).unref();
    } finally {
      this.#reading = false;
    }
  }

  #publish(summary: ExecutionSummary, [before, after]: readonly [number, number], open: number): void {
    const { id: executionId, spaceId, workflowId, workflowName } = summary;
    this.#know(summary);
    this.push("execution.changed", summary);
    if (before === after) return;
    const question = { executionId, spaceId, workflowId, ...(workflowName && { workflowName }), open };
    this.push(after > before ? "question.opened" : "question.closed", question);
  }
}
