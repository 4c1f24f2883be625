import { queryOptions } from "@tanstack/react-query";
import type { WorkflowDraft } from "../../sdk/definition.ts";
import { readWorkflow, type StoredWorkflow, versionQuery, type WorkflowAddress } from "../data/builder.ts";
import { draftStore } from "../data/draft-store.ts";
import { isRecord } from "../data/json.ts";
import { mayPass } from "../data/problem.ts";
import { queryClient } from "../data/query-client.ts";
import { remoteDrafts } from "../data/remote-drafts.ts";
import { readPrefetchedDraft, readPrefetchedWorkflow } from "../data/stored-workflow.ts";
import { type ChosenDraft, chooseDraft, type ServiceDraft } from "./choose-draft.ts";
import type { Draft } from "./draft.ts";

/** An opened workflow: the stored version, and the user's unsaved changes. */
export interface OpenedWorkflow {
  stored: StoredWorkflow;
  draft: OpenedDraft | undefined;
  /** When it was read. A new time means that the workflow was opened again. */
  opened: number;
}

export interface OpenedDraft extends ChosenDraft {
  /** The version that the draft is based on. */
  base: StoredWorkflow;
}

function draftIn(value: unknown): Draft | undefined {
  if (!isRecord(value) || typeof value.baseVersion !== "number" || !isRecord(value.meta)) return undefined;
  return typeof value.at === "number" ? (value as unknown as Draft) : undefined;
}

/** Converts a draft of the service. */
function remoteIn(value: WorkflowDraft | null | undefined): ServiceDraft | undefined {
  if (!value) return undefined;
  const { baseVersion, name, description, definition, revision, updatedAt } = value;
  return { baseVersion, meta: { name, description }, definition, revision, at: Date.parse(updatedAt) };
}

async function baseOfDraft(at: WorkflowAddress, stored: StoredWorkflow, version: number): Promise<StoredWorkflow> {
  if (version === stored.workflow.version) return stored;
  const { name, description, definition } = await queryClient.ensureQueryData(versionQuery(at, version));
  // This tag matches no version, so a save finds that the workflow has changed, and merges.
  return { workflow: { ...stored.workflow, version, name, description, definition }, etag: `"${version}-draft"` };
}

/**
 * Reads the workflow again. If the service is unavailable, it uses what this page has read before, for example when a
 * tab takes over while offline.
 */
async function readAgain(at: WorkflowAddress, known: OpenedWorkflow, signal: AbortSignal): Promise<StoredWorkflow> {
  try {
    return await readWorkflow(at, signal);
  } catch (error) {
    if (!mayPass(error)) throw error;
    return known.stored;
  }
}

async function open(at: WorkflowAddress, userId: string, signal: AbortSignal): Promise<OpenedWorkflow> {
  const known = queryClient.getQueryData<OpenedWorkflow>(keyOf(at, userId));
  const [stored, here, there, note] = await Promise.all([
    known ? readAgain(at, known, signal) : readPrefetchedWorkflow(at, signal),
    draftStore.read(userId, at.id).then(draftIn),
    // A tab that takes over needs the draft that the other tab has just stored.
    (known ? remoteDrafts.read(at, signal) : readPrefetchedDraft(at, signal)).then(remoteIn),
    draftStore.readNote(userId, at.id),
  ]);
  const chosen = chooseDraft(here, there, note);
  if (!chosen) {
    if (there) void remoteDrafts.drop(at).catch(() => undefined);
    return { stored, draft: undefined, opened: Date.now() };
  }
  const base = await baseOfDraft(at, stored, chosen.draft.baseVersion);
  return { stored, draft: { ...chosen, base }, opened: Date.now() };
}

const keyOf = (at: WorkflowAddress, userId: string) => ["w", at.workspaceId, "builder", at.id, userId] as const;

export const openedQuery = (at: WorkflowAddress, userId: string) =>
  queryOptions({
    queryKey: keyOf(at, userId),
    queryFn: ({ signal }) => open(at, userId, signal),
    // The workflow is read once. A save detects later changes.
    staleTime: Infinity,
    gcTime: 0,
    networkMode: "always",
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** Opens the draft of the other device instead of the one of this browser. */
export async function openOtherDraft(
  at: WorkflowAddress,
  userId: string,
  { stored, draft }: OpenedWorkflow,
): Promise<void> {
  if (!draft?.other) return;
  const base = await baseOfDraft(at, stored, draft.other.baseVersion);
  const next = { draft: draft.other, here: false, other: undefined, base };
  queryClient.setQueryData<OpenedWorkflow>(keyOf(at, userId), { stored, draft: next, opened: Date.now() });
}
