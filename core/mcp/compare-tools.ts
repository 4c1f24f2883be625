interface Known {
  name: string;
  hash: string;
}

export interface ToolComparison<K, L> {
  added: L[];
  removed: K[];
  /** The name is the same, the definition is different. */
  changed: { before: K; after: L }[];
}

/** The changes that turn the stored tools into the listed ones. Two tools are the same when their names are. */
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
