import type { WorkflowAddress } from "./builder.ts";
import type { Draft } from "../builder/keeper.ts";
import { weft } from "./client.ts";

interface DraftCalls {
  draft?: (input: object, options?: object) => Promise<unknown>;
  saveDraft?: (input: object) => Promise<unknown>;
  removeDraft?: (input: object) => Promise<unknown>;
}
const calls = weft.workflows as unknown as DraftCalls;

/** A person's drafts as the service keeps them, for going on at another device. */
export const remoteDrafts = {
  async read(at: WorkflowAddress, signal?: AbortSignal): Promise<unknown> {
    return calls.draft?.(at, { signal }).catch(() => undefined);
  },
  async keep(at: WorkflowAddress, { baseVersion, meta, definition }: Draft): Promise<void> {
    if (!calls.saveDraft) throw new Error("The service keeps no drafts");
    const { name, description } = meta;
    await calls.saveDraft({ ...at, baseVersion, name, description: description ?? "", definition });
  },
  async drop(at: WorkflowAddress): Promise<void> {
    await calls.removeDraft?.(at);
  },
};
