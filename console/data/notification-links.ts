import type { Notification } from "../../sdk/definition.ts";

/** The page that a notification leads to, as a path. Undefined for a notification without a page. */
export function pageOf({ consoleUrl }: Pick<Notification, "consoleUrl">): string | undefined {
  if (consoleUrl === undefined) return undefined;
  const { pathname, search } = new URL(consoleUrl);
  return pathname + search;
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
