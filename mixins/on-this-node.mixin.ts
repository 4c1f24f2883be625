import type { Service, ServiceSchema } from "moleculer";
import type { EventName } from "../contracts/events.ts";

type Events = NonNullable<ServiceSchema["events"]>;

/** Lets a sender name this node, by its id, as one of those that these events of the service are for: see `hint`. */
export function onThisNode(...names: EventName[]): Partial<ServiceSchema> {
  const mixin = {
    merged(this: Service, schema: ServiceSchema) {
      const events: Events = (schema.events ??= {});
      for (const name of names) {
        const event = events[name];
        const { handler } = typeof event === "function" ? { handler: event } : (event ?? {});
        events[name] = { handler, group: this.broker.nodeID } as Events[string];
      }
    },
  };
  // The types do not know this hook.
  return mixin as Partial<ServiceSchema>;
}
