import type { Page } from "../../adapters/store/port.ts";
import { type ServerDoc, servers } from "./model.ts";
import type { Self } from "./service.ts";

const BATCH = 100;
/** The syncs of one node at a time. Most of a sync is waiting for the server. */
const AT_ONCE = 16;

/**
 * Syncs the due servers, longest due first: those whose interval has passed, and those whose sync was interrupted. It
 * may run on several nodes at once, because a sync begins with taking the server's lease.
 */
export async function tick(self: Self, now: Date, signal: AbortSignal): Promise<void> {
  const due = { syncAt: { $lte: now } };
  const all = self.store.acrossTenants(servers);
  let after: string | null = null;
  do {
    const page: Page<ServerDoc> = await all.find(due, { sort: { syncAt: 1 }, limit: BATCH, after });
    const rest = page.items.values();
    const worker = async () => {
      for (const server of rest) {
        if (signal.aborted) return;
        await self.syncs.run(server, true).catch((error: unknown) => {
          if (!signal.aborted) self.warn("A sync of tools was cut off; Weft tries again.", error);
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    after = page.next;
  } while (after !== null && !signal.aborted);
}
