import type { ServiceBroker } from "moleculer";
import { v7 as uuid } from "uuid";
import type { Store } from "../../adapters/store/port.ts";
import type { ParamsOf } from "../../contracts/actions.ts";
import { hint } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { refusedPositions } from "../../adapters/store/errors.ts";
import { RETENTION_MS, trim } from "./bounds.ts";
import { hasMail } from "../../service-kit/mail.ts";
import { isMailed } from "./notice-mails.ts";
import { inboxOf, type NotificationDoc, notifications } from "./model.ts";

export type Notice = Omit<ParamsOf<"notifications.notify">, "to">;

const GROUP = 50;
const MAX_WAITING = 20_000;
/** Other nodes that write to the same user may take a seq first, but not this often in a row. */
const MAX_ROUNDS = 50;
const ROUND_PAUSE_MS = 5;

interface Delivery {
  userId: string;
  notice: Notice;
  done: () => void;
  failed: (error: unknown) => void;
}

/**
 * Writes notifications in groups, one group after another, so that writes of this process do not contend for a user's
 * next seq.
 */
export class Deliveries {
  readonly #store: Store;
  readonly #broker: ServiceBroker;
  readonly #added: () => void;
  #waiting: Delivery[] = [];
  #writing = false;

  /** `added` is called after notifications were written. */
  constructor(store: Store, broker: ServiceBroker, added: () => void = () => undefined) {
    this.#added = added;
    this.#store = store;
    this.#broker = broker;
  }

  /**
   * Resolves when each of these users has the notice with this key, from this call or an earlier one.
   * @throws {AppError} unavailable when too many deliveries wait, or other nodes keep writing to the same user
   */
  async deliver(userIds: readonly string[], notice: Notice): Promise<void> {
    if (this.#waiting.length + userIds.length > MAX_WAITING) throw new AppError("unavailable");
    const all = userIds.map(
      userId => new Promise<void>((done, failed) => this.#waiting.push({ userId, notice, done, failed })),
    );
    if (!this.#writing) void this.#writeAll();
    await Promise.all(all);
  }

  async #writeAll(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const group = this.#nextGroup();
      try {
        await this.#write(group);
        group.forEach(({ done }) => done());
      } catch (error) {
        group.forEach(({ failed }) => failed(error));
      }
    }
    this.#writing = false;
  }

  /** The deliveries that have waited longest, one per user, because a user's next delivery needs the following seq. */
  #nextGroup(): Delivery[] {
    const users = new Set<string>();
    const group: Delivery[] = [];
    const rest: Delivery[] = [];
    for (const delivery of this.#waiting) {
      const fits = group.length < GROUP && !users.has(delivery.userId);
      (fits ? group : rest).push(delivery);
      if (fits) users.add(delivery.userId);
    }
    this.#waiting = rest;
    return group;
  }

  async #write(group: Delivery[]): Promise<void> {
    let left = group;
    for (let round = 1; left.length > 0; round++) {
      if (round > MAX_ROUNDS) throw new AppError("unavailable");
      const docs = await Promise.all(left.map(delivery => this.#docOf(delivery)));
      const refused = new Set(await this.#insert(docs));
      const written = docs.filter((_, place) => !refused.has(place));
      if (written.length > 0) {
        this.#added();
        hint(this.#broker, "all", "notifications.added", { userIds: written.map(({ userId }) => userId) });
      }
      await Promise.all(written.map(({ userId, seq }) => trim(this.#store, userId, seq)));
      const unwritten = left.filter((_, place) => refused.has(place));
      const known = await Promise.all(unwritten.map(delivery => this.#has(delivery)));
      left = unwritten.filter((_, place) => !known[place]);
      if (left.length > 0) await new Promise(resolve => setTimeout(resolve, Math.random() * ROUND_PAUSE_MS * round));
    }
  }

  async #docOf({ userId, notice }: Delivery): Promise<NotificationDoc> {
    const now = new Date();
    const seq = (await inboxOf(this.#store, userId).newest()) + 1;
    const expiresAt = new Date(now.getTime() + RETENTION_MS);
    const mailAt = hasMail() && isMailed(notice.type) ? { mailAt: now } : {};
    return { id: uuid(), userId, seq, ...notice, ...mailAt, createdAt: now, expiresAt };
  }

  /** Returns the indexes of the documents that were refused because of their seq or their key. */
  async #insert(docs: NotificationDoc[]): Promise<number[]> {
    try {
      await this.#store.global(notifications).insertMany(docs);
      return [];
    } catch (error) {
      const places = refusedPositions(error);
      if (!places) throw error;
      return places;
    }
  }

  async #has({ userId, notice: { key } }: Delivery): Promise<boolean> {
    return (await inboxOf(this.#store, userId).get({ key })) !== null;
  }
}
