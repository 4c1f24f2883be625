import { weft } from "./client.ts";
import { draftStore } from "./draft-store.ts";
import { nodeTypesQuery } from "./node-types.ts";
import { prefetch, readPrefetched } from "./prefetch.ts";
import { queryClient } from "./query-client.ts";
import { remoteDrafts } from "./remote-drafts.ts";
import type { StoredWorkflow, WorkflowAddress } from "./workflow-types.ts";
import { readWorkspace } from "./workspaces.ts";

export async function readWorkflow(at: WorkflowAddress, signal?: AbortSignal): Promise<StoredWorkflow> {
  const { data, etag } = await weft.workflows.get(at, signal ? { signal } : {}).withResponse();
  return { workflow: data, etag };
}

const storedKey = ({ id }: WorkflowAddress) => `workflow ${id}`;
const draftKey = ({ id }: WorkflowAddress) => `draft ${id}`;

/** Starts to read what the builder shows first, while its code still loads. */
export async function prefetchWorkflow(w: string, spaceId: string, id: string): Promise<void> {
  draftStore.begin();
  void queryClient.prefetchQuery(nodeTypesQuery);
  const workspace = await readWorkspace(w);
  if (!workspace) return;
  const at = { workspaceId: workspace.id, spaceId, id };
  prefetch(storedKey(at), () => readWorkflow(at));
  prefetch(draftKey(at), () => remoteDrafts.read(at));
}

/** Reads a workflow when the builder opens. `prefetchWorkflow` may have sent the request already. */
export const readPrefetchedWorkflow = (at: WorkflowAddress, signal: AbortSignal): Promise<StoredWorkflow> =>
  readPrefetched(storedKey(at), () => readWorkflow(at, signal));

/** Reads a draft when the builder opens. `prefetchWorkflow` may have sent the request already. */
export const readPrefetchedDraft = (at: WorkflowAddress, signal: AbortSignal): ReturnType<typeof remoteDrafts.read> =>
  readPrefetched(draftKey(at), () => remoteDrafts.read(at, signal));
