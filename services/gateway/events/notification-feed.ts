import type { ServiceBroker } from "moleculer";
import { call } from "../../../contracts/call.ts";
import type { SubjectOf } from "./event-streams.ts";
import type { Feed, StreamCaller, StreamEvent } from "./feed.ts";

/** People keep a page open all day, and hints announce almost every notification, so streams may poll rarely. */
const REST_MS = 5_000;

/** The notifications of one user. The first read also checks that the caller may read them. */
class NotificationFeed implements Feed {
  readonly #broker: ServiceBroker;
  readonly #caller: StreamCaller;
  #after: number | undefined;
  readonly restMs = REST_MS;
  readonly ended = false;
  more = false;

  constructor(broker: ServiceBroker, caller: StreamCaller, after: number | undefined) {
    this.#broker = broker;
    this.#caller = caller;
    this.#after = after;
  }

  get seq(): number {
    return this.#after ?? 0;
  }

  async read(): Promise<StreamEvent[]> {
    const input = { after: this.#after };
    const { seq, items, more } = await call(this.#broker, "notifications.since", input, this.#caller.options);
    this.#after = seq;
    this.more = more;
    return items.map(item => ({ id: item.seq, event: "notification.created", data: item.notification }));
  }

  finished(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

/** The caller's notifications. A client that has received none gets only new ones. */
export const notificationSubject =
  (broker: ServiceBroker): SubjectOf =>
  (caller, lastEventId) => ({
    id: caller.identity.userId,
    feed: new NotificationFeed(broker, caller, lastEventId),
  });
