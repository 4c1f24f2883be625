import type { WorkflowDraft } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import type { WorkflowAddress } from "./workflow-types.ts";

/** What the service keeps of a draft: not what can be undone. */
export interface RemoteDraft {
  baseVersion: number;
  meta: { name: string; description: string | null };
  definition: unknown;
}

/** A person's drafts as the service keeps them, for going on at another device. */
export const remoteDrafts = {
  /** Undefined without a draft, and while the service does not answer: the workflow opens all the same. */
  read: (at: WorkflowAddress, signal?: AbortSignal): Promise<WorkflowDraft | null | undefined> =>
    weft.workflows.drafts.get(at, signal ? { signal } : {}).then(
      draft => draft,
      () => undefined,
    ),
  keep(at: WorkflowAddress, { baseVersion, meta, definition }: RemoteDraft): Promise<WorkflowDraft> {
    const { name, description } = meta;
    return weft.workflows.drafts.update({ ...at, baseVersion, name, description: description ?? "", definition });
  },
  async drop(at: WorkflowAddress): Promise<void> {
    await weft.workflows.drafts.remove(at);
  },
};
