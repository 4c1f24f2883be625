import type { Change, WorkflowDiff } from "../sdk/index.ts";

const shown = (value: unknown) => (value === undefined ? "" : JSON.stringify(value));
const SIGNS = { add: "+", remove: "-", replace: "~" } as const;

export const changeLine = (at: string, { op, path, from, to }: Change) =>
  `${SIGNS[op]} ${at}${path}  ${op === "replace" ? `${shown(from)} → ${shown(to)}` : shown(op === "add" ? to : from)}`;

const named = (node: unknown) => {
  const { id, type } = (node ?? {}) as { id?: unknown; type?: unknown };
  return `${String(id)} (${String(type)})`;
};

const edge = (given: unknown) => {
  const { source, target, sourceHandle } = (given ?? {}) as Record<string, unknown>;
  return `${String(source)}${typeof sourceHandle === "string" ? `:${sourceHandle}` : ""} > ${String(target)}`;
};

/** The differences between two versions, one per line. */
export function linesOf({
  name,
  description,
  nodes,
  edges,
  settings,
  definition,
  truncated,
}: Omit<WorkflowDiff, "from" | "to">): string[] {
  return [
    ...(name ? [`~ name  ${shown(name.from)} → ${shown(name.to)}`] : []),
    ...(description ? [`~ description  ${shown(description.from)} → ${shown(description.to)}`] : []),
    ...nodes.added.map(node => `+ step ${named(node)}`),
    ...nodes.removed.map(node => `- step ${named(node)}`),
    ...nodes.changed.flatMap(({ id, changes }) => changes.map(change => changeLine(`step ${id} `, change))),
    ...(nodes.reordered ? ["~ the order of the steps"] : []),
    ...edges.added.map(one => `+ edge ${edge(one)}`),
    ...edges.removed.map(one => `- edge ${edge(one)}`),
    ...settings.map(change => changeLine("", change)),
    ...definition.map(change => changeLine("", change)),
    ...(truncated ? ["… there are more differences."] : []),
  ];
}
