import type { WorkflowDraft } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import type { WorkflowAddress } from "./workflow-types.ts";

/** The part of a draft that the service stores. It leaves out the undo history. */
export interface RemoteDraft {
  baseVersion: number;
  meta: { name: string; description: string | null };
  definition: unknown;
}

/** A user's drafts on the service, with which they can continue on another device. */
export const remoteDrafts = {
  /**
   * Returns null without a draft. Returns undefined if the service does not answer, so that the workflow opens anyway.
   */
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
