import type { Notification } from "../../sdk/definition.ts";

/** The path of the page that a notification links to. Undefined if it links to none. */
export function pageOf({ consoleUrl }: Pick<Notification, "consoleUrl">): string | undefined {
  if (consoleUrl === undefined) return undefined;
  const { pathname, search } = new URL(consoleUrl);
  return pathname + search;
}

export interface NotificationGroup {
  /** The newest one, which represents the group. */
  first: Notification;
  /** Older notifications about the same run, workflow or import. */
  others: Notification[];
  unread: Notification[];
}

/** Groups notifications about the same thing. Each group takes the place of its newest notification. */
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
