import { outboxOf } from "../../service-kit/outbox.ts";
import { type WorkflowDoc, workflows } from "./model.ts";

const MAX_TITLE = 200;
const TITLE = "Imported: ";

const bodyOf = (warnings: number) =>
  warnings === 0
    ? "The workflow is there."
    : `The workflow is there. ${warnings === 1 ? "One thing" : `${warnings} things`} should be looked at; checking it says what cannot run yet.`;

/** Notifies the user who imported a workflow. */
export const importNotices = outboxOf<WorkflowDoc>({
  collection: workflows,
  notices({ id, workspaceId, spaceId, name, createdBy, importWarnings }) {
    if (typeof importWarnings !== "number") return Promise.resolve([]);
    const notice = {
      key: `import:${id}`,
      workspaceId,
      type: "import_finished" as const,
      title: (TITLE + name).slice(0, MAX_TITLE),
      body: bodyOf(importWarnings),
      link: `/v1/workspaces/${workspaceId}/spaces/${spaceId}/workflows/${id}`,
      to: { userIds: [createdBy] },
    };
    return Promise.resolve([notice]);
  },
});
