interface Known {
  name: string;
  hash: string;
}

export interface ToolComparison<K, L> {
  added: L[];
  removed: K[];
  /** The name stayed, the definition did not. */
  changed: { before: K; after: L }[];
}

/** What is to be done so that the tools that are kept are those that are listed. The name is what makes two of them the same. */
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
