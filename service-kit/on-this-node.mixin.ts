import type { Service, ServiceSchema } from "moleculer";
import type { EventName } from "../contracts/events.ts";

type Events = NonNullable<ServiceSchema["events"]>;

/** Lets a sender address this node by its id for these events of the service. See `hint`. */
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
  // Moleculer's types lack this hook.
  return mixin as Partial<ServiceSchema>;
}
