import type { Change, WorkflowDiff } from "../../contracts/entities/workflow-diff.ts";
import type { Json } from "./api.ts";

/** Applies changes one after another, as RFC 6902 defines. */
export function applyChanges(value: unknown, changes: readonly Change[]): unknown {
  const root = { value: structuredClone(value) };
  for (const { op, path, to } of changes) {
    const keys = ["value", ...path.split("/").slice(1)].map(key => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = keys.pop()!;
    const parent = keys.reduce<Json>((at, key) => at[key], root);
    if (Array.isArray(parent)) parent.splice(Number(last), op === "add" ? 0 : 1, ...(op === "remove" ? [] : [to]));
    else if (op === "remove") delete parent[last];
    else Object.defineProperty(parent, last, { value: to, enumerable: true, configurable: true, writable: true });
  }
  return root.value;
}

const without = (list: Json[], gone: Json[]) => {
  const left = gone.map(item => canonical(item));
  return list.filter(item => {
    const at = left.indexOf(canonical(item));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
};

/** JSON text that does not depend on the order of keys. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** Applies a diff to a definition. Nodes and edges have no order, so they are sorted by their text. */
export function applyDiff(definition: Json, diff: Omit<WorkflowDiff, "from" | "to">): Json {
  const all = applyChanges(definition, [...diff.settings, ...diff.definition]) as Json;
  const { added, removed, changed } = diff.nodes;
  if (!Array.isArray(all?.nodes) || !Array.isArray(all?.edges)) return all;
  const changesOf = new Map(changed.map(({ id, changes }) => [id, changes]));
  const nodes = [
    ...without(all.nodes, removed).map(node => applyChanges(node, changesOf.get(node.id) ?? [])),
    ...added,
  ];
  return sorted({ ...all, nodes, edges: [...without(all.edges, diff.edges.removed), ...diff.edges.added] });
}

/** The same definition with its nodes and edges sorted by their text. */
export function sorted(definition: Json): Json {
  if (!Array.isArray(definition?.nodes) || !Array.isArray(definition?.edges)) return definition;
  const byText = (list: Json[]) => [...list].sort((a, b) => (canonical(a) < canonical(b) ? -1 : 1));
  return { ...definition, nodes: byText(definition.nodes), edges: byText(definition.edges) };
}
