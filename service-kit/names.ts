import { call } from "../contracts/call.ts";
import { MAX_PAGE } from "../contracts/primitives.ts";

/** The names for ids, as lists show them; undefined for objects that no longer exist. */
export interface Names {
  workflow: (id: string) => string | undefined;
  user: (id: string) => string | undefined;
}

const CALL_TIMEOUT_MS = 3_000;

/** At most as many ids as one call accepts. A list has no more items than that. */
const distinct = (ids: readonly string[]) => [...new Set(ids)].slice(0, MAX_PAGE);

async function namesBy<T extends { id: string }>(found: Promise<T[]>, nameOf: (one: T) => string) {
  try {
    return new Map((await found).map(one => [one.id, nameOf(one)]));
  } catch {
    // Without names, the caller still shows the list.
    return new Map<string, string>();
  }
}

/**
 * The names of workflows of a workspace, and of users, including former members. Names that cannot be read are left
 * out.
 */
export async function namesOf(
  from: { call: unknown },
  workspaceId: string,
  { workflows = [], users = [] }: { workflows?: readonly string[]; users?: readonly string[] },
): Promise<Names> {
  const options = { timeout: CALL_TIMEOUT_MS };
  const [byWorkflow, byUser] = await Promise.all([
    workflows.length === 0
      ? new Map<string, string>()
      : namesBy(call(from, "workflows.names", { workspaceId, ids: distinct(workflows) }, options), ({ name }) => name),
    users.length === 0
      ? new Map<string, string>()
      : namesBy(call(from, "identity.users", { ids: distinct(users) }, options), ({ name, email }) => name ?? email),
  ]);
  return { workflow: id => byWorkflow.get(id), user: id => byUser.get(id) };
}

/** Adds the names of the workflow and of the creator, if they exist. */
export async function withNames<T extends { workflowId: string; createdBy: string }>(
  from: { call: unknown },
  workspaceId: string,
  items: readonly T[],
): Promise<(T & { workflowName?: string; createdByName?: string })[]> {
  const ids = { workflows: items.map(one => one.workflowId), users: items.map(one => one.createdBy) };
  const names = await namesOf(from, workspaceId, ids);
  return items.map(item => {
    const [workflowName, createdByName] = [names.workflow(item.workflowId), names.user(item.createdBy)];
    return { ...item, ...(workflowName && { workflowName }), ...(createdByName && { createdByName }) };
  });
}
