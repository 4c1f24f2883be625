interface Known {
  name: string;
  hash: string;
}

export interface ToolComparison<K, L> {
  added: L[];
  removed: K[];
  /** The name is the same, and the definition differs. */
  changed: { before: K; after: L }[];
}

/** The changes that turn the stored tools into the listed tools. Tools are identified by name. */
export function compareTools<K extends Known, L extends Known>(
  kept: readonly K[],
  listed: readonly L[],
): ToolComparison<K, L> {
  const before = new Map(kept.map(tool => [tool.name, tool]));
  const names = new Set(listed.map(({ name }) => name));
  const both = listed.flatMap(after => {
    const known = before.get(after.name);
    return known ? [{ before: known, after }] : [];
  });
  return {
    added: listed.filter(({ name }) => !before.has(name)),
    removed: kept.filter(({ name }) => !names.has(name)),
    changed: both.filter(({ before, after }) => before.hash !== after.hash),
  };
}

/** A change of one tool that a sync found. */
export interface SeenChange {
  toolId: string;
  name: string;
  kind: string;
  /** The changed fields of its definition. */
  fields: readonly string[];
  /** When the previous successful sync ended. */
  since: Date;
  at: Date;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * The names of the tools whose changes a notice reports now. `toldAt` is the time of the last notice. A change that no
 * notice of the last day reported is reported at once, but at most once an hour. A tool that changes again and again,
 * such as one with the time of day in its description, is reported once a day. Changes that are held back come with the
 * next notice.
 */
export function changesToTell(changes: readonly SeenChange[], toldAt: Date | null, now: Date): string[] {
  const changed = changes.filter(({ kind }) => kind === "changed");
  const isTold = ({ since }: SeenChange) => toldAt !== null && since < toldAt;
  const partsOf = ({ toolId, fields }: SeenChange) => fields.map(field => `${toolId} ${field}`);
  const lately = changed.filter(change => isTold(change) && now.getTime() - change.at.getTime() < DAY_MS);
  const known = new Set(lately.flatMap(partsOf));
  const untold = changed.filter(change => !isTold(change));
  const isNew = untold.some(change => partsOf(change).some(part => !known.has(part)));
  if (toldAt !== null && now.getTime() - toldAt.getTime() < (isNew ? HOUR_MS : DAY_MS)) return [];
  return [...new Set(untold.map(({ name }) => name))];
}
