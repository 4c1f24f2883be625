import type { Notification } from "../../sdk/definition.ts";

type Linked = Pick<Notification, "type" | "link">;

const RUN = /^\/v1\/workspaces\/([\w-]+)\/spaces\/([\w-]+)\/executions\/([\w-]+)$/;
const WORKFLOW = /^\/v1\/workspaces\/([\w-]+)\/spaces\/[\w-]+\/workflows\/[\w-]+$/;

/**
 * The page that a notification leads to, derived from the API's address in it. A question leads to the inbox, with the
 * question open. Undefined for a notification without a page.
 */
export function pageOf({ type, link = "" }: Linked): string | undefined {
  const [, w, s, run] = RUN.exec(link) ?? [];
  if (run !== undefined) return type === "approval_needed" ? `/w/${w}/approvals?run=${run}` : `/w/${w}/s/${s}/runs/${run}`;
  const workflow = WORKFLOW.exec(link);
  if (workflow) return `/w/${workflow[1]}/workflows`;
  // A link that a workflow gave may name a page of the console.
  return /^\/(w|me|a)\//.test(link) ? link : undefined;
}

export interface NotificationGroup {
  /** The newest, which stands for all. */
  first: Notification;
  /** Older ones of the same run, workflow or import. */
  others: Notification[];
  unread: Notification[];
}

/** Notifications of the same thing together, where its newest one is. */
export function grouped(all: readonly Notification[]): NotificationGroup[] {
  const groups = new Map<string, NotificationGroup>();
  for (const one of all) {
    const key = one.link ?? one.id;
    const group = groups.get(key);
    if (group) group.others.push(one);
    else groups.set(key, { first: one, others: [], unread: [] });
    if (one.readAt === null) groups.get(key)!.unread.push(one);
  }
  return [...groups.values()];
}
