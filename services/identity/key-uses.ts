import type { Store } from "../../adapters/store/port.ts";
import type { Warn } from "../../service-kit/throttled-warn.ts";
import { type ApiKeyDoc, apiKeys } from "./model.ts";

const EVERY_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/** Records `lastUsedAt` of API keys: with the first use, and then at most once a minute per key. */
export class KeyUses {
  readonly #store: Store;
  readonly #warn: Warn;
  /** The time of the last written or scheduled use of each key, in ms since 1970, least recent first. */
  readonly #noted = new Map<string, number>();

  constructor(store: Store, warn: Warn) {
    this.#store = store;
    this.#warn = warn;
  }

  /** Records a use of the key. Callers do not wait for the write. */
  note({ id, workspaceId, lastUsedAt }: Pick<ApiKeyDoc, "id" | "workspaceId" | "lastUsedAt">): void {
    const now = Date.now();
    const last = Math.max(this.#noted.get(id) ?? 0, lastUsedAt?.getTime() ?? 0);
    if (now - last < EVERY_MS) return;
    this.#noted.delete(id);
    this.#noted.set(id, now);
    if (this.#noted.size > MAX_REMEMBERED) this.#noted.delete(this.#noted.keys().next().value!);
    const $set = { lastUsedAt: new Date(now) };
    this.#store
      .tenant(apiKeys, workspaceId)
      .updateOne({ id }, { $set })
      .catch((error: unknown) => this.#warn("The last use of an API key was not written.", error));
  }
}
