import { begin, readOnce } from "./begun.ts";
import { weft } from "./client.ts";
import { draftStore } from "./draft-store.ts";
import { nodeTypesQuery } from "./node-types.ts";
import { queryClient } from "./query-client.ts";
import { remoteDrafts } from "./remote-drafts.ts";
import type { Stored, WorkflowAddress } from "./workflow-types.ts";
import { readWorkspace } from "./workspaces.ts";

export async function readStored(at: WorkflowAddress, signal?: AbortSignal): Promise<Stored> {
  const { data, etag } = await weft.workflows.get(at, signal ? { signal } : {}).withResponse();
  return { workflow: data, etag };
}

const storedKey = ({ id }: WorkflowAddress) => `workflow ${id}`;
const draftKey = ({ id }: WorkflowAddress) => `draft ${id}`;

/** Starts to read what the builder shows first, while its code still loads. */
export async function beginOpening(w: string, spaceId: string, id: string): Promise<void> {
  draftStore.begin();
  void queryClient.prefetchQuery(nodeTypesQuery);
  const workspace = await readWorkspace(w);
  if (!workspace) return;
  const at = { workspaceId: workspace.id, spaceId, id };
  begin(storedKey(at), () => readStored(at));
  begin(draftKey(at), () => remoteDrafts.read(at));
}

/** Reads a workflow when the builder opens. `beginOpening` may have sent the request already. */
export const readStoredFirst = (at: WorkflowAddress, signal: AbortSignal): Promise<Stored> =>
  readOnce(storedKey(at), () => readStored(at, signal));

/** Reads a draft when the builder opens. `beginOpening` may have sent the request already. */
export const readDraftFirst = (at: WorkflowAddress, signal: AbortSignal): ReturnType<typeof remoteDrafts.read> =>
  readOnce(draftKey(at), () => remoteDrafts.read(at, signal));
