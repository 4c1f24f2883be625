import { MAX_TITLE } from "../../../contracts/entities/notification.ts";
import { clip } from "../../../core/clip.ts";
import { outboxOf } from "../../../service-kit/outbox.ts";
import { type ImportDoc, imports } from "../model.ts";

/** Notifies the user who imported a file of the result. */
export const importNotices = outboxOf<ImportDoc>({
  collection: imports,
  notices({ id, workspaceId, knowledgeBaseId, name, status, entriesDone, error, createdBy, retries }) {
    // The import was retried before this notice was sent.
    if (status !== "completed" && status !== "failed") return Promise.resolve([]);
    const body = error ? error.message : entriesDone === 1 ? "It made one entry." : `It made ${entriesDone} entries.`;
    const notice = {
      key: `knowledge-import:${id}${retries === undefined ? "" : `:${retries}`}`,
      workspaceId,
      type: "import_finished" as const,
      title: clip(`${status === "failed" ? "Not imported" : "Imported"}: ${name}`, MAX_TITLE),
      body,
      link: `/v1/workspaces/${workspaceId}/knowledge-bases/${knowledgeBaseId}/entries/import/${id}`,
      to: { userIds: [createdBy] },
    };
    return Promise.resolve([notice]);
  },
});
