import type { Service } from "moleculer";
import { type IndexDefinition, where } from "../adapters/store/define-collection.ts";
import { date, optionalOrNull } from "../adapters/store/field-types.ts";
import type { Collection, CollectionSpec, Doc } from "../adapters/store/port.ts";
import type { InputOf } from "../contracts/actions.ts";
import { call } from "../contracts/call.ts";
import { errorCode, ERRORS } from "../contracts/errors.ts";
import type { WithStore } from "./store.mixin.ts";

/** The input of `notifications.notify`. */
export type Notice = InputOf<"notifications.notify">;

/** A document with a pending notification. `tellAt` is the time of the next attempt. */
export interface Notifiable extends Doc {
  tellAt?: Date | null;
}

/** The outbox field and index of a collection. */
export const OUTBOX_FIELDS = { tellAt: optionalOrNull(date()) };
export const OUTBOX_INDEX: IndexDefinition = [{ tellAt: 1 }, where("tellAt")];

/**
 * The fields that request a notification. Set them in the same write as the change, so that neither exists without the
 * other.
 */
export const markForNotice = (now: Date) => ({ tellAt: now });

export interface OutboxOptions<T extends Notifiable, Self> {
  collection: CollectionSpec<T>;
  /**
   * The notices about the current state of a document; empty if they are outdated. It may be called again, so the
   * notices about the same change must have the same key.
   */
  notices(this: Self, doc: T): Promise<Notice[]>;
  /** True if the document is only a message. It is removed after its notification. */
  once?: boolean;
}

type Node = Service & WithStore;
export type Outbox = (this: Node, now: Date) => Promise<void>;

/** The number of documents that are handled at the same time. */
const GROUP = 20;
/** The limit of one sweep. The next sweep continues. */
const MAX_GROUPS = 100;
const NOTIFY_TIMEOUT_MS = 60_000;
/** The lease of a node on a document. After it ends, another node sends the notifications again. */
const LEASE_MS = 120_000;
/** The delay of a retry. Other documents come first meanwhile. */
const RETRY_MS = 10_000;

/** Whether every retry would be refused too. */
function isHopeless(error: unknown): boolean {
  const code = errorCode(error);
  return code !== undefined && ERRORS[code].status < 500;
}

/**
 * Sends the notifications of a collection's documents, the longest waiting first. A later sweep retries a failed
 * notification. A notification that is refused permanently is logged and dropped.
 */
export function outboxOf<T extends Notifiable, Self extends Node = Node>(options: OutboxOptions<T, Self>): Outbox {
  const { collection, once = false } = options;

  async function told(self: Self, all: Collection<Notifiable>, { id, tellAt = null }: Notifiable, now: Date) {
    const until = new Date(now.getTime() + LEASE_MS);
    const doc = await all.updateOne({ id, tellAt }, { $set: { tellAt: until } });
    // Another node holds the document, or it has changed and is due again.
    if (!doc) return true;
    try {
      const notices = await options.notices.call(self, doc as T);
      for (const notice of notices) {
        await call(self.broker, "notifications.notify", notice, { timeout: NOTIFY_TIMEOUT_MS });
      }
    } catch (error) {
      if (!isHopeless(error)) {
        self.logger.warn("A notification could not be sent; Weft tries again.", error);
        await all.updateOne({ id, tellAt: until }, { $set: { tellAt: new Date(now.getTime() + RETRY_MS) } });
        return false;
      }
      self.logger.error("A notification was refused and is dropped.", { id }, error);
    }
    if (once) await all.remove({ id, tellAt: until });
    else await all.updateOne({ id, tellAt: until }, { $unset: { tellAt: true } });
    return true;
  }

  return async function sweep(now) {
    const { store } = this;
    // This code uses only the outbox field, which the compiler cannot infer for an open T.
    const spec = collection as unknown as CollectionSpec<Notifiable>;
    const all = spec.tenant ? store.acrossTenants(spec) : store.global(spec);
    const due = { tellAt: { $lte: now } };
    for (let group = 0; group < MAX_GROUPS; group++) {
      const { items } = await all.find(due, { sort: { tellAt: 1 }, limit: GROUP });
      const outcomes = await Promise.all(items.map(doc => told(this as Self, all, doc, now)));
      if (items.length < GROUP || outcomes.includes(false)) return;
    }
  };
}
