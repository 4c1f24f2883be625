import type { ServiceBroker } from "moleculer";
import type { NotedDelivery } from "../../../contracts/actions/webhooks.ts";
import { call } from "../../../contracts/call.ts";
import { MAX_DELIVERIES } from "../../../contracts/entities/webhook.ts";
import { throttledWarn, type Warn } from "../../../service-kit/throttled-warn.ts";

/** Deliveries are collected for this long, so that a busy webhook causes only two writes per second. */
const EVERY_MS = 500;
/** Further webhooks are not recorded until the next write. */
const MAX_WEBHOOKS = 100;

/**
 * Collects entries for the lists of deliveries, and stores them after the senders got their responses. A killed node
 * loses what it has collected.
 */
export class DeliveryLog {
  readonly #broker: ServiceBroker;
  readonly #warn: Warn;
  readonly #held = new Map<string, NotedDelivery[]>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(broker: ServiceBroker, logger: ServiceBroker["logger"]) {
    this.#broker = broker;
    this.#warn = throttledWarn(logger);
  }

  add(delivery: NotedDelivery): void {
    const key = delivery.webhookId;
    const held = this.#held.get(key);
    if (held) {
      held.push(delivery);
      if (held.length > MAX_DELIVERIES) held.shift();
    } else if (this.#held.size < MAX_WEBHOOKS) this.#held.set(key, [delivery]);
    this.#timer ??= setTimeout(() => void this.flush(), EVERY_MS).unref();
  }

  /** Stores what was collected. Resolves when it is stored, or could not be stored. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const deliveries = [...this.#held.values()].flat();
    this.#held.clear();
    if (deliveries.length === 0) return;
    try {
      await call(this.#broker, "webhooks.noteDeliveries", { deliveries });
    } catch (error) {
      this.#warn("Deliveries to webhooks could not be recorded.", error);
    }
  }
}
