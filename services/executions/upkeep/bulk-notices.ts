import type { BulkAction } from "../../../contracts/entities/bulk-job.ts";
import { outboxOf } from "../../../service-kit/outbox.ts";
import { BulkJobs } from "../store/bulk-model.ts";

const DONE: Record<BulkAction, string> = { cancel: "cancelled", retry: "retried", delete: "deleted" };
const count = (n: number) => `${n.toLocaleString("en")} ${n === 1 ? "run" : "runs"}`;

/** Notifies the user who started a bulk job of its end. */
export const bulkNotices = outboxOf({
  collection: BulkJobs,
  notices({ id, workspaceId, spaceId, action, status, done, failed, total, startedBy }) {
    const left = total - done - failed;
    const rest = [
      ...(failed > 0 ? [`${count(failed)} could not be ${DONE[action]}.`] : []),
      ...(left > 0 ? [`${count(left)} left.`] : []),
    ];
    const notice = {
      key: `bulk:${id}`,
      workspaceId,
      type: "bulk_finished" as const,
      title: `${count(done)} ${DONE[action]}${status === "cancelled" ? ", then stopped" : ""}`,
      body: rest.join(" "),
      link: `/v1/workspaces/${workspaceId}/spaces/${spaceId}/executions/bulk/${id}`,
      to: { userIds: [startedBy] },
    };
    return Promise.resolve([notice]);
  },
});
