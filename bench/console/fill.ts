import { openStore } from "../../adapters/store/open-store.ts";
import { countPage } from "../../services/executions/stats/count-finished.ts";
import { DayStats, WorkflowStats } from "../../services/executions/stats/model.ts";
import { Executions, Journal } from "../../services/executions/store/model.ts";
import { executionDoc, insertRuns } from "../../test/support/finished-runs.ts";

const BATCH = 500;
const DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Finished runs of these workflows over the last 30 days, one in ten of them failed. They are counted in the
 * statistics.
 */
export async function fillRuns(
  dataDir: string,
  count: number,
  { workspaceId, startedBy, workflowIds }: { workspaceId: string; startedBy: string; workflowIds: readonly string[] },
): Promise<void> {
  const collections = [Executions, Journal, DayStats, WorkflowStats];
  const store = await openStore({ dataDir, sync: "normal", collections });
  try {
    const now = Date.now();
    const error = { code: "fail", nodeId: "stop", message: "The card was declined by the bank" };
    for (let from = 0; from < count; from += BATCH) {
      const docs = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => {
        const n = from + at;
        const failed = n % 10 === 0;
        return executionDoc({
          ...{ workspaceId, startedBy, workflowId: workflowIds[n % workflowIds.length]! },
          createdAt: new Date(now - (DAYS * DAY_MS * (n + 1)) / (count + 1)),
          status: failed ? "failed" : "completed",
          ...(failed && { error }),
        });
      });
      await insertRuns(store, docs);
    }
    // Counts the runs now. Otherwise the service would do it in the background of the measurement.
    const failed = (cause: unknown) => {
      throw cause;
    };
    for (let next: string | null = null; (next = await countPage(store, next, failed)) !== null;);
  } finally {
    await store.close();
  }
}
