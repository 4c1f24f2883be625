import { errorCode } from "../../contracts/errors.ts";
import { handle } from "../../contracts/call.ts";
import { isFinal } from "../../core/run/state.ts";
import { cancelExecution } from "./cancel-execution.ts";
import { Executions, Journal, journalRange } from "./model.ts";
import type { ExecutionsService } from "./service.ts";

const BATCH = 100;

/** Cancels and removes the executions of a workspace, or of one of its spaces, with their journals. */
export const purge = handle<"executions.purge", ExecutionsService>(
  "executions.purge",
  async function (ctx) {
    const { workspaceId, spaceId } = ctx.params;
    const docs = this.store.tenant(Executions, workspaceId);
    const journal = this.store.tenant(Journal, workspaceId);
    for (;;) {
      const { items } = await docs.find(spaceId ? { spaceId } : {}, { limit: BATCH });
      if (items.length === 0) return null;
      for (const doc of items) {
        if (isFinal(doc.status)) continue;
        await cancelExecution(this, doc).catch((error: unknown) => {
          if (errorCode(error) !== "execution_finished") throw error;
        });
      }
      const ids = items.map(doc => doc.id);
      for (const id of ids) await journal.remove({ id: journalRange(id) });
      await docs.remove({ id: { $in: ids } });
    }
  },
  { timeout: 60_000 },
);
