import { type DocumentState, isStray, nameOf, parentOf, sourceOf, targetOf } from "./document/index.ts";

export interface OutlineRow {
  id: string;
  depth: number;
  /** The names of the steps that follow it. */
  next: string[];
}

/** The steps in the order in which a run reaches them. The content of a container follows it. */
export function outlineOf(state: DocumentState): OutlineRow[] {
  const next = new Map<string, string[]>();
  const open = new Map<string, number>();
  for (const id of state.nodes.keys()) if (!isStray(id)) open.set(id, 0);
  for (const edge of state.edges.values()) {
    const [source, target] = [sourceOf(edge), targetOf(edge)];
    if (!open.has(source) || !open.has(target)) continue;
    next.set(source, [...(next.get(source) ?? []), target]);
    open.set(target, (open.get(target) ?? 0) + 1);
  }
  const rows: OutlineRow[] = [];
  const done = new Set<string>();
  const childrenOf = Map.groupBy(open.keys(), id => {
    const parent = parentOf(state.nodes.get(id));
    return parent !== undefined && parent !== id && open.has(parent) ? parent : undefined;
  });
  const visit = (id: string, depth: number) => {
    if (done.has(id)) return;
    done.add(id);
    rows.push({ id, depth, next: (next.get(id) ?? []).map(target => nameOf(state, target)) });
    level(id, depth + 1);
  };
  /** Lists one branch after the other. A branch ends at a step with another predecessor that is not listed yet. */
  const level = (parent: string | undefined, depth: number) => {
    const members = childrenOf.get(parent) ?? [];
    const ready = members.filter(id => open.get(id) === 0).toReversed();
    while (ready.length > 0) {
      const id = ready.pop()!;
      visit(id, depth);
      for (const target of (next.get(id) ?? []).toReversed()) {
        open.set(target, open.get(target)! - 1);
        if (open.get(target) === 0) ready.push(target);
      }
    }
    // Steps on a cycle never become ready, so they come last.
    for (const id of members) visit(id, depth);
  };
  level(undefined, 0);
  for (const id of open.keys()) visit(id, 0);
  return rows;
}
