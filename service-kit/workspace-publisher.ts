import type { ActionSchema, Context, Service, ServiceBroker, ServiceSchema } from "moleculer";
import { hint } from "../contracts/call.ts";
import type { EventOf, WorkspaceChange } from "../contracts/events.ts";

const MAX_WATCHED = 10_000;
/** How long changes are collected before they are sent together. */
const GATHER_MS = 100;
/** The most collected changes of one workspace. With more, the listeners are handleAndPublish to reload. */
const MAX_GATHERED = 200;

interface Watched {
  /** The time until which each node listens. */
  until: Map<string, number>;
  /** Unsent changes. Changes of the same execution are merged. */
  gathered: Map<string, WorkspaceChange>;
  lost: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Tells the nodes whose clients follow a workspace what changes in it. Without a follower, a change costs one look-up
 * in an empty map.
 */
export class WorkspacePublisher {
  readonly #broker: ServiceBroker;
  readonly #watched = new Map<string, Watched>();
  #count = 0;

  constructor(broker: ServiceBroker) {
    this.#broker = broker;
  }

  /** Records that a node listens for the next `forMs`. */
  add({ workspaceId, forMs }: EventOf<"workspace.watched">, nodeId: string): void {
    if (!this.#watched.has(workspaceId) && this.#watched.size >= MAX_WATCHED) this.#sweep();
    if (!this.#watched.has(workspaceId) && this.#watched.size >= MAX_WATCHED) return;
    const watched = this.#watched.get(workspaceId) ?? {
      ...{ until: new Map<string, number>(), gathered: new Map<string, WorkspaceChange>() },
      ...{ lost: false, timer: undefined },
    };
    watched.until.set(nodeId, Date.now() + forMs);
    this.#watched.set(workspaceId, watched);
  }

  isWatched(workspaceId: string): boolean {
    return this.#watched.has(workspaceId);
  }

  /**
   * Reports that an execution was created, or that its summary has changed. `awaitModel` is the number of open questions
   * before and now.
   */
  execution(workspaceId: string, id: string, asked: readonly [number, number] = [0, 0]): void {
    const watched = this.#watched.get(workspaceId);
    if (!watched) return;
    const before = watched.gathered.get(id);
    const first = before?.kind === "execution" ? before.asked[0] : asked[0];
    this.#gather(workspaceId, watched, id, { kind: "execution", id, asked: [first, asked[1]] });
  }

  /** Reports another change, as the event that clients receive. */
  event(workspaceId: string, event: Extract<WorkspaceChange, { kind: "event" }>["event"], data: object): void {
    const watched = this.#watched.get(workspaceId);
    if (watched) this.#gather(workspaceId, watched, `#${++this.#count}`, { kind: "event", event, data: { ...data } });
  }

  #gather(workspaceId: string, watched: Watched, key: string, change: WorkspaceChange): void {
    if (watched.gathered.size < MAX_GATHERED || watched.gathered.has(key)) watched.gathered.set(key, change);
    else watched.lost = true;
    watched.timer ??= setTimeout(() => this.#send(workspaceId, watched), GATHER_MS).unref();
  }

  #send(workspaceId: string, watched: Watched): void {
    const { gathered, lost } = watched;
    watched.timer = undefined;
    watched.gathered = new Map();
    watched.lost = false;
    this.#forget(workspaceId, watched);
    const changes = lost ? [] : [...gathered.values()];
    hint(this.#broker, [...watched.until.keys()], "workspace.changed", { workspaceId, changes, lost });
  }

  #sweep(): void {
    for (const [id, watched] of this.#watched) this.#forget(id, watched);
  }

  #forget(workspaceId: string, { until, gathered }: Watched): void {
    const now = Date.now();
    for (const [nodeId, end] of until) if (end < now) until.delete(nodeId);
    if (until.size === 0 && gathered.size === 0) this.#watched.delete(workspaceId);
  }
}

export interface WithWorkspacePublisher {
  news: WorkspacePublisher;
}

/** Gives a service `this.news`, and receives the gateways' requests to follow workspaces. */
export const workspacePublisherMixin: Partial<ServiceSchema> = {
  events: {
    "workspace.watched"(this: Service & WithWorkspacePublisher, ctx: Context<EventOf<"workspace.watched">>) {
      this.news.add(ctx.params, ctx.nodeID ?? "");
    },
  },
  created(this: Service & Partial<WithWorkspacePublisher>) {
    this.news = new WorkspacePublisher(this.broker);
  },
};

/** Tells followers the effect of an action, given its context and its result. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Publishes<Self> = (this: Self, ctx: Context<any>, result: any) => void;

/** Adds notifications of followers to some of these actions. */
export function publishingActions<Self>(
  actions: Record<string, ActionSchema>,
  published: Readonly<Record<string, Publishes<Self>>>,
): Record<string, ActionSchema> {
  const publishing = ([name, action]: [string, ActionSchema]): [string, ActionSchema] => {
    const publish = published[name];
    const { handler } = action;
    if (!publish || !handler) return [name, action];
    async function handleAndPublish(this: Service, ctx: Context): Promise<unknown> {
      const result: unknown = await handler!.call(this, ctx);
      publish!.call(this as Self, ctx, result);
      return result;
    }
    return [name, { ...action, handler: handleAndPublish }];
  };
  return Object.fromEntries(Object.entries(actions).map(publishing));
}
