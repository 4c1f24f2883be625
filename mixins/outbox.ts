import type { Service } from "moleculer";
import { type IndexDefinition, where } from "../adapters/store/define-collection.ts";
import { date, optionalOrNull } from "../adapters/store/field-types.ts";
import type { Collection, CollectionSpec, Doc } from "../adapters/store/port.ts";
import type { InputOf } from "../contracts/actions.ts";
import { call } from "../contracts/call.ts";
import { errorCode, ERRORS } from "../contracts/errors.ts";
import type { WithStore } from "./store.mixin.ts";

/** What `notifications.notify` takes. */
export type Notice = InputOf<"notifications.notify">;

/** A document that people are to be notified of. `tellAt` is the time of the next try. */
export interface Notifiable extends Doc {
  tellAt?: Date | null;
}

/** For the collection's fields and indexes. */
export const OUTBOX_FIELDS = { tellAt: optionalOrNull(date()) };
export const OUTBOX_INDEX: IndexDefinition = [{ tellAt: 1 }, where("tellAt")];

/** The fields to set in the same write as a change that people are notified of, so neither exists without the other. */
export const markForNotice = (now: Date) => ({ tellAt: now });

export interface OutboxOptions<T extends Notifiable, Self> {
  collection: CollectionSpec<T>;
  /**
   * What there is to tell of a document as it is now; nothing where that is out of date. It may be asked again, so what it
   * makes of the same change must have the same key.
   */
  notices(this: Self, doc: T): Promise<Notice[]>;
  /** The document is nothing but a message, and goes when it was told. */
  once?: boolean;
}

type Node = Service & WithStore;
export type Outbox = (this: Node, now: Date) => Promise<void>;

/** As many are told at the same time. */
const GROUP = 20;
/** Of one sweep; the next goes on. */
const MAX_GROUPS = 100;
const NOTIFY_TIMEOUT_MS = 60_000;
/** A node that tells of a document is given up after that long, and another tells of it again. */
const LEASE_MS = 120_000;
/** After what could not be told, the others come first. */
const RETRY_MS = 10_000;

/** Whether it would be refused again, however often. */
function isHopeless(error: unknown): boolean {
  const code = errorCode(error);
  return code !== undefined && ERRORS[code].status < 500;
}

/**
 * Tells of the documents of a collection that wait for it, those first that wait longest. What cannot be told now is told by
 * a later sweep, what is refused for good is logged and let go.
 */
export function outboxOf<T extends Notifiable, Self extends Node = Node>(options: OutboxOptions<T, Self>): Outbox {
  const { collection, once = false } = options;

  async function told(self: Self, all: Collection<Notifiable>, { id, tellAt = null }: Notifiable, now: Date) {
    const until = new Date(now.getTime() + LEASE_MS);
    const doc = await all.updateOne({ id, tellAt }, { $set: { tellAt: until } });
    // Another node has it, or it has changed and is due anew.
    if (!doc) return true;
    try {
      const notices = await options.notices.call(self, doc as T);
      for (const notice of notices) {
        await call(self.broker, "notifications.notify", notice, { timeout: NOTIFY_TIMEOUT_MS });
      }
    } catch (error) {
      if (!isHopeless(error)) {
        self.logger.warn("Somebody could not be notified; it is tried again.", error);
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
    // Of a document's fields only that of the outbox matters here; the compiler cannot see it in an open T.
    const spec = collection as unknown as CollectionSpec<Notifiable>;
    const all = spec.tenant ? store.acrossTenants(spec) : store.global(spec);
    // `$exists` is what lets both sides take the partial index.
    const due = { tellAt: { $exists: true, $lte: now } };
    for (let group = 0; group < MAX_GROUPS; group++) {
      const { items } = await all.find(due, { sort: { tellAt: 1 }, limit: GROUP });
      const outcomes = await Promise.all(items.map(doc => told(this as Self, all, doc, now)));
      if (items.length < GROUP || outcomes.includes(false)) return;
    }
  };
}
