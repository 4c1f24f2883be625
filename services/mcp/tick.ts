import type { Page } from "../../adapters/store/port.ts";
import { type ServerDoc, servers } from "./model.ts";
import type { Self } from "./service.ts";

const BATCH = 100;
/** How many syncs one node runs at the same time. A sync mostly waits for its server. */
const AT_ONCE = 16;

/**
 * Syncs the due servers, the longest due first. A server is due when its interval has passed, or its sync was
 * interrupted. Several nodes may run this at the same time, because a sync begins by taking the server's lease.
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
