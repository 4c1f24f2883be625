import type { Doc, Page } from "../adapters/store/port.ts";

/**
 * The maximum size of a page, unless a single document is larger. It is smaller than a message between nodes may be.
 */
const MAX_PAGE_BYTES = 640 * 1024;
/** The number of documents that are read together. It is small, so that few unneeded documents are in memory. */
const CHUNK = 20;

/**
 * Reads a page that ends early if its documents get too large. Its cursor continues after the last document. `find`
 * reads up to `limit` documents after a cursor.
 */
export async function boundedPage<T extends Doc & { bytes: number }>(
  find: (limit: number, after: string | null) => Promise<Page<T>>,
  limit: number,
  cursor: string | null,
): Promise<Page<T>> {
  const items: T[] = [];
  let after = cursor;
  let left = MAX_PAGE_BYTES;
  do {
    const chunk = await find(Math.min(CHUNK, limit - items.length), after);
    const fitting = chunk.items.findIndex(doc => (left -= doc.bytes) < 0);
    if (fitting >= 0) {
      const count = items.length === 0 ? Math.max(1, fitting) : fitting;
      if (count === 0) return { items, next: after };
      const { next } = count === chunk.items.length ? chunk : await find(count, after);
      return { items: [...items, ...chunk.items.slice(0, count)], next };
    }
    items.push(...chunk.items);
    after = chunk.next;
  } while (after !== null && items.length < limit);
  return { items, next: after };
}
