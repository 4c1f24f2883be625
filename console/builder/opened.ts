import { queryOptions } from "@tanstack/react-query";
import { readStored, type Stored, versionQuery, type WorkflowAddress } from "../data/builder.ts";
import { draftStore } from "../data/draft-store.ts";
import { queryClient } from "../data/query-client.ts";
import { remoteDrafts } from "../data/remote-drafts.ts";
import { isRecord } from "./document/index.ts";
import type { Draft } from "./keeper.ts";

/** A workflow as it is opened: what is stored, and what this person edited and did not save. */
export interface Opened {
  stored: Stored;
  draft: OpenedDraft | undefined;
  /** When it was read, so that another reading is another opening. */
  opened: number;
}

export interface OpenedDraft {
  draft: Draft;
  /** The version that the draft is based on. */
  base: Stored;
  /** Whether it comes from this browser. */
  here: boolean;
}

function draftIn(value: unknown): Draft | undefined {
  if (!isRecord(value) || typeof value.baseVersion !== "number" || !isRecord(value.meta)) return undefined;
  return typeof value.at === "number" ? (value as unknown as Draft) : undefined;
}

/** A draft as the service gives it. */
function remoteIn(value: unknown): Draft | undefined {
  if (!isRecord(value) || typeof value.baseVersion !== "number" || typeof value.name !== "string") return undefined;
  const { baseVersion, name, description, definition, updatedAt } = value;
  const meta = { name, description: typeof description === "string" ? description : null };
  return { baseVersion, meta, definition, at: Date.parse(String(updatedAt)) || 0 };
}

async function baseOfDraft(at: WorkflowAddress, stored: Stored, version: number): Promise<Stored> {
  if (version === stored.workflow.version) return stored;
  const { name, description, definition } = await queryClient.ensureQueryData(versionQuery(at, version));
  // A tag that no version has: saving then finds that the workflow has changed, and merges.
  return { workflow: { ...stored.workflow, version, name, description, definition }, etag: `"${version}-draft"` };
}

async function open(at: WorkflowAddress, userId: string, signal: AbortSignal): Promise<Opened> {
  const [stored, here, there] = await Promise.all([
    readStored(at, signal),
    draftStore.read(userId, at.id).then(draftIn),
    remoteDrafts.read(at, signal).then(remoteIn),
  ]);
  const isHere = here !== undefined && (there === undefined || here.at >= there.at);
  const draft = isHere ? here : there;
  if (!draft) return { stored, draft: undefined, opened: Date.now() };
  const base = await baseOfDraft(at, stored, draft.baseVersion);
  return { stored, draft: { draft, base, here: isHere }, opened: Date.now() };
}

export const openedQuery = (at: WorkflowAddress, userId: string) =>
  queryOptions({
    queryKey: ["w", at.workspaceId, "builder", at.id, userId],
    queryFn: ({ signal }) => open(at, userId, signal),
    // What is edited is read once. A save tells whether it changed meanwhile.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
