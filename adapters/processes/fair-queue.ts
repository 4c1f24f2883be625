/** The number of further items of a group that may be taken now. */
export type FreePlaces = (group: string) => number;

/** A bounded queue that takes turns between groups, first in first out within each. */
export interface FairQueue<T> {
  /** Adds an item. Returns false if the queue, or the group's share of it (a quarter by default), is full. */
  push(group: string, item: T): boolean;
  /** Takes the next item of a group that has room. */
  shift(room?: FreePlaces): T | undefined;
  remove(group: string, item: T): void;
  /** The number of items that could be taken now. */
  ready(room: FreePlaces): number;
}

export function createFairQueue<T>(limit: number, share = Math.max(1, Math.ceil(limit / 4))): FairQueue<T> {
  const groups = new Map<string, T[]>();
  let size = 0;

  return {
    push(group, item) {
      const items = groups.get(group);
      if (size >= limit || (items?.length ?? 0) >= share) return false;
      if (items) items.push(item);
      else groups.set(group, [item]);
      size++;
      return true;
    },
    shift(room = () => Infinity) {
      for (const [group, items] of groups) {
        if (room(group) <= 0) continue;
        const item = items.shift();
        // Moves the group to the end of the line: a Map keeps the order of insertion.
        groups.delete(group);
        if (items.length > 0) groups.set(group, items);
        size--;
        return item;
      }
      return undefined;
    },
    remove(group, item) {
      const items = groups.get(group);
      const at = items?.indexOf(item) ?? -1;
      if (!items || at < 0) return;
      items.splice(at, 1);
      size--;
      if (items.length === 0) groups.delete(group);
    },
    ready(room) {
      let count = 0;
      for (const [group, items] of groups) count += Math.max(0, Math.min(items.length, room(group)));
      return count;
    },
  };
}
