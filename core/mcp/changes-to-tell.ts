/** What became of one tool in one sync. */
export interface SeenChange {
  toolId: string;
  name: string;
  kind: string;
  /** What of its definition is another one. */
  fields: readonly string[];
  /** When the good sync before it ended. */
  since: Date;
  at: Date;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * The names of the tools of whose new definitions people are to be told now, after the last time, `toldAt`. What no day of notices
 * has spoken of is told at once, and at most every hour; what changes again and again, as a description with the time of day
 * in it does, once a day. What is held back comes with the next notice.
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
