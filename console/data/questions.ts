import type { Execution, ExecutionSummary, Member, Workspace } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import type { Asked, Suspension } from "./question-address.ts";

/** A run with its open questions, and the context that people need to answer them. */
export type AskingRun = Execution & Pick<ExecutionSummary, "workflowName" | "startedByName">;

/** How a question ended. */
export type Outcome =
  | { kind: "answered"; approved: boolean; data: unknown; by: string; at: string | null }
  | { kind: "expired"; at: string | null }
  /** The run ended without an answer, or its log does not say how the question ended. */
  | { kind: "ended"; status: Execution["status"]; at: string | null };

/** Only lists contain names. This search does not reach very old runs, which then have no names. */
async function namesOf(workspaceId: string, id: string): Promise<Pick<AskingRun, "workflowName" | "startedByName">> {
  const { items } = await weft.executions.listAll({ workspaceId, q: id, limit: 1 });
  const { workflowName, startedByName } = items.find(run => run.id === id) ?? {};
  return { ...(workflowName && { workflowName }), ...(startedByName && { startedByName }) };
}

/**
 * Reads a run in any space of the workspace.
 * @throws {WeftError} not_found, also if the caller may not see the run
 */
export async function readAskingRun(workspaceId: string, id: string, signal?: AbortSignal): Promise<AskingRun> {
  const names = namesOf(workspaceId, id).catch(() => ({}));
  const run = await weft.executions.find({ workspaceId, id }, { ...(signal && { signal }) });
  return { ...run, ...(await names) };
}

type Address = Pick<Execution, "workspaceId" | "spaceId" | "id">;

/**
 * @throws {WeftError} execution_not_suspended if the question is no longer open
 */
export async function answerQuestion(
  { workspaceId, spaceId, id }: Address,
  { nodeId, path, question }: Suspension,
  { approved, data }: { approved: boolean; data: unknown },
): Promise<void> {
  const place = { nodeId, ...(path && { path: [...path] }), ...(question !== undefined && { question }) };
  await weft.executions.respond({ workspaceId, spaceId, id, approved, ...(data !== undefined && { data }), ...place });
}

/** Uploads a file that is part of an answer. */
export async function uploadForAnswer({ workspaceId, spaceId, id }: Address, file: File, signal: AbortSignal) {
  const name = file.name || "file";
  const stored = await weft.executions.uploadFile({ workspaceId, spaceId, id, name, file }, { signal });
  const { id: fileId, type, size, sha256 } = stored;
  return { $file: { id: fileId, name: stored.name, type, size, sha256 } };
}

interface AnswerRecord {
  approved: boolean;
  data: unknown;
  respondedBy: string | null;
  respondedAt: string | null;
}

export const isAnswer = (output: unknown): output is AnswerRecord =>
  typeof output === "object" && output !== null && "respondedBy" in output && "approved" in output;

/** The most log entries of the step that are searched for the answer. */
const ENTRIES = 20;

/** How a closed question ended, according to the log. Undefined while the log does not say it yet. */
async function recordedOutcome(run: Address, { nodeId, path }: Asked): Promise<Outcome | undefined> {
  if (nodeId === undefined) return undefined;
  const { items } = await weft.executions.logs({
    ...{ workspaceId: run.workspaceId, spaceId: run.spaceId, id: run.id, nodeId },
    path: [...(path ?? [])],
    order: "desc",
    limit: ENTRIES,
  });
  const expired = items.find(({ error }) => error?.code === "approval_expired");
  if (expired) return { kind: "expired", at: expired.at };
  const entry = items.find(one => isAnswer(one.output));
  if (!entry || !isAnswer(entry.output)) return undefined;
  const { approved, data, respondedBy, respondedAt } = entry.output;
  return respondedBy === null ? { kind: "expired", at: entry.at } : { kind: "answered", approved, data, by: respondedBy, at: respondedAt };
}

const AGAIN_MS = 400;
const TRIES = 5;
const FINAL = new Set(["completed", "failed", "cancelled"]);

/**
 * How a closed question ended. The service accepts an answer before a worker writes it to the log, so this reads the
 * log for up to two seconds.
 */
export async function outcomeOf(run: AskingRun, asked: Asked): Promise<Outcome> {
  const tries = FINAL.has(run.status) ? 1 : TRIES;
  for (let n = 0; n < tries; n++) {
    if (n > 0) await new Promise(resolve => setTimeout(resolve, AGAIN_MS));
    const found = await recordedOutcome(run, asked);
    if (found) return found;
  }
  return { kind: "ended", status: run.status, at: run.finishedAt };
}

const MAX_MEMBERS = 200;

export async function membersOf(workspaceId: string): Promise<Member[]> {
  return (await weft.workspaces.members({ workspaceId, limit: MAX_MEMBERS })).items;
}

export const nameOf = (members: readonly Member[], userId: string): string | undefined => {
  const found = members.find(member => member.userId === userId);
  return found?.name ?? found?.email ?? undefined;
};

export const readWorkspace = (workspaceId: string): Promise<Workspace> => weft.workspaces.get({ workspaceId });

/** Whether a member may answer a question. Editors may answer any, viewers only questions assigned to them. */
export const mayAnswer = (
  { role, userId }: { role: Workspace["role"]; userId: string },
  assignees: readonly string[] = [],
): boolean => role !== "viewer" || assignees.includes(userId);
