import type { Driver, WriteOp, WriteOutcome } from "./driver.ts";
import type { Layout } from "./layout.ts";

/** How old a kept document can be where another process wrote meanwhile. */
const MAX_AGE_MS = 100;
const MAX_KEPT = 10_000;

interface Kept {
  document: Record<string, unknown>;
  readAt: number;
}

/**
 * Documents read a moment ago, for what nearly every request asks. What this process writes to a collection makes all
 * that is kept of it forgotten, so only the writes of others can be missed, and those for `MAX_AGE_MS`.
 */
export class RecentReads {
  readonly #kept = new Map<Layout, Map<string, Kept>>();

  async get(layout: Layout, key: string, read: () => Promise<Record<string, unknown> | null>) {
    let kept = this.#kept.get(layout);
    if (!kept || kept.size >= MAX_KEPT) this.#kept.set(layout, (kept = new Map()));
    const readAt = performance.now();
    const found = kept.get(key);
    if (found && readAt - found.readAt < MAX_AGE_MS) return found.document;
    const document = await read();
    // What is not there is not kept: whoever has just made it elsewhere would be told so. And once a write came in
    // between, `kept` is no longer where anybody looks.
    if (document) kept.set(key, { document, readAt });
    return document;
  }

  forget(layout: Layout): void {
    this.#kept.delete(layout);
  }
}

/** A side whose writes are made known to what was kept of its reads. */
export function forgetting(driver: Driver, recent: RecentReads): Driver {
  const write = async (ops: readonly WriteOp[]): Promise<WriteOutcome[]> => {
    try {
      return await driver.write(ops);
    } finally {
      for (const { layout } of ops) recent.forget(layout);
    }
  };
  return {
    write,
    register: layouts => driver.register(layouts),
    find: (layout, where, sort, limit) => driver.find(layout, where, sort, limit),
    count: (layout, where, limit) => driver.count(layout, where, limit),
    tally: (layout, where, path) => driver.tally(layout, where, path),
    ping: () => driver.ping(),
    close: () => driver.close(),
  };
}
