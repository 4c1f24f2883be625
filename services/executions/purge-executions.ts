import type { Page } from "../../adapters/store/port.ts";
import { errorCode } from "../../contracts/errors.ts";
import { handle } from "../../contracts/call.ts";
import { isFinal } from "../../core/run/state.ts";
import { removeAll } from "../../mixins/remove-all.ts";
import { cancelExecution } from "./cancel-execution.ts";
import { Executions, Journal, journalRange, type ExecutionDoc } from "./model.ts";
import type { ExecutionsService } from "./service.ts";
import { DayStats, spaceRange, WorkflowStats } from "./stats/model.ts";

const BATCH = 100;
/** As the indexes have them. */
const OLDEST = { createdAt: 1 } as const;
const OLDEST_BY_SPACE = { spaceId: -1, ...OLDEST } as const;

/**
 * Removes the executions of a workspace, or of one of its spaces, with their journals and statistics; those that still run
 * are cancelled, and go with the next purge: until then the end in their journals keeps a worker that has not heard of it
 * from going on.
 */
export const purge = handle<"executions.purge", ExecutionsService>(
  "executions.purge",
  async function (ctx) {
    const { workspaceId, spaceId } = ctx.params;
    const docs = this.store.tenant(Executions, workspaceId);
    const journal = this.store.tenant(Journal, workspaceId);
    for (let after: string | null = null; ;) {
      const page: Page<ExecutionDoc> = spaceId
        ? await docs.find({ spaceId }, { sort: OLDEST, limit: BATCH, after })
        : await docs.find({}, { sort: OLDEST_BY_SPACE, limit: BATCH, after });
      for (const doc of page.items) {
        if (isFinal(doc.status)) {
          await journal.remove({ id: journalRange(doc.id) });
          await docs.remove({ id: doc.id });
          continue;
        }
        await cancelExecution(this, doc).catch((error: unknown) => {
          if (errorCode(error) !== "execution_finished") throw error;
        });
      }
      after = page.next;
      if (!after) break;
    }
    const stats = { id: spaceRange(workspaceId, spaceId) };
    await removeAll(this.store.tenant(DayStats, workspaceId), stats);
    await removeAll(this.store.tenant(WorkflowStats, workspaceId), stats);
    return null;
  },
  { timeout: 60_000 },
);
