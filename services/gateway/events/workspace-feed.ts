import type { ServiceBroker } from "moleculer";
import { call } from "../../../contracts/call.ts";
import { STREAM_EVENTS, type WorkspaceEventName } from "../../../contracts/entities/workspace-event.ts";
import { asList } from "../../../contracts/primitives.ts";
import type { SubjectOf } from "./event-streams.ts";
import type { Feed, StreamCaller, StreamEvent } from "./feed.ts";
import { WorkspaceHub } from "./workspace-hub.ts";

/** A hub announces every event, so streams need not poll. */
const REST_MS = 5_000;
const PAGE = 200;
/** How long the events of a workspace are kept for clients that return. */
const LINGER_MS = 60_000;

const ALWAYS: ReadonlySet<string> = new Set(STREAM_EVENTS);

/** The events of one workspace for one client. */
class WorkspaceFeed implements Feed {
  readonly #broker: ServiceBroker;
  readonly #caller: StreamCaller;
  readonly #workspaceId: string;
  readonly #enter: () => WorkspaceHub;
  readonly #only: ReadonlySet<string>;
  #hub: WorkspaceHub | undefined;
  #isFirst: boolean;
  readonly restMs = REST_MS;
  readonly ended = false;
  more = false;
  seq: number;

  constructor(
    broker: ServiceBroker,
    caller: StreamCaller,
    { workspaceId, only }: WorkspacePath,
    after: number | undefined,
    enter: () => WorkspaceHub,
  ) {
    this.#broker = broker;
    this.#caller = caller;
    this.#workspaceId = workspaceId;
    this.#only = new Set(asList(only));
    this.#enter = enter;
    this.#isFirst = after === undefined;
    this.seq = after ?? 0;
  }

  /** This only checks that the caller may read the workspace, because the events of a workspace never end. */
  async finished(): Promise<boolean> {
    await call(this.#broker, "workspaces.get", { workspaceId: this.#workspaceId }, this.#caller.options);
    this.#hub ??= this.#enter();
    await this.#hub.readAs(this.#caller);
    return false;
  }

  read(): Promise<StreamEvent[]> {
    return Promise.resolve(this.#hub ? this.#next(this.#hub) : []);
  }

  #next({ history }: WorkspaceHub): StreamEvent[] {
    const missed = this.#isFirst ? null : history.after(this.seq);
    if (!missed) {
      const event = this.#isFirst ? "ready" : "reset";
      this.#isFirst = false;
      this.more = false;
      this.seq = history.last;
      return [{ id: this.seq, event, data: { at: new Date().toISOString() } }];
    }
    const page = missed.slice(0, PAGE);
    this.more = missed.length > page.length;
    this.seq = page.at(-1)?.id ?? this.seq;
    return page.filter(({ event }) => this.#only.size === 0 || this.#only.has(event) || ALWAYS.has(event));
  }
}

export interface WorkspacePath {
  workspaceId: string;
  only?: WorkspaceEventName | readonly WorkspaceEventName[];
}

interface Kept {
  hub: WorkspaceHub;
  followers: number;
  timer?: NodeJS.Timeout | undefined;
}

/** The hubs of workspaces that clients of this node follow or have recently followed. */
export class WorkspaceHubs {
  readonly #broker: ServiceBroker;
  readonly #hubs = new Map<string, Kept>();
  readonly #told: (workspaceId: string, id: number) => void;

  constructor(broker: ServiceBroker, told: (workspaceId: string, id: number) => void) {
    this.#broker = broker;
    this.#told = told;
  }

  get(workspaceId: string): WorkspaceHub | undefined {
    return this.#hubs.get(workspaceId)?.hub;
  }

  /** Informs a new node of the workspaces that are followed here. */
  watchAll(): void {
    for (const { hub } of this.#hubs.values()) hub.watch();
  }

  /** Handles the loss of a node or of the connection to other nodes. Hints may be lost then. */
  resetAll(): void {
    for (const { hub } of this.#hubs.values()) hub.reset();
  }

  subject(path: WorkspacePath): SubjectOf {
    const { workspaceId } = path;
    return (caller, after) => {
      let kept: Kept | undefined;
      // The hub begins only after the check that the caller may read the workspace.
      const enter = () => (kept = this.#enter(workspaceId)).hub;
      return {
        id: workspaceId,
        feed: new WorkspaceFeed(this.#broker, caller, path, after, enter),
        end: () => kept && this.#leave(workspaceId, kept),
      };
    };
  }

  close(): void {
    for (const { hub, timer } of this.#hubs.values()) {
      clearTimeout(timer);
      hub.close();
    }
    this.#hubs.clear();
  }

  #enter(workspaceId: string): Kept {
    const kept = this.#hubs.get(workspaceId) ?? {
      hub: new WorkspaceHub(this.#broker, workspaceId, id => this.#told(workspaceId, id)),
      followers: 0,
    };
    clearTimeout(kept.timer);
    kept.followers++;
    this.#hubs.set(workspaceId, kept);
    return kept;
  }

  #leave(workspaceId: string, kept: Kept): void {
    if (--kept.followers > 0) return;
    kept.timer = setTimeout(() => {
      this.#hubs.delete(workspaceId);
      kept.hub.close();
    }, LINGER_MS).unref();
  }
}
