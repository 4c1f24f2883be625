import { isRecord, sameJson } from "../../data/json.ts";
import type { DiffMark } from "../canvas/drawn.ts";
import {
  type DocumentState,
  handleOf,
  isStray,
  nameOf,
  type RawEdge,
  readDefinition,
  sourceOf,
  targetOf,
} from "../document/index.ts";
import type { WorkflowContent } from "../draft.ts";
import { noteDifferences, otherNotes } from "./compare-notes.ts";
import type { Difference } from "./difference.ts";

export interface Comparison {
  /** Both versions merged, including removed steps. */
  state: DocumentState;
  marks: ReadonlyMap<string, DiffMark>;
  edgeMarks: ReadonlyMap<string, DiffMark>;
  differences: Difference[];
}

function fieldsOf(from: unknown, to: unknown, name: string): Difference["fields"] {
  if (sameJson(from, to)) return [];
  if (!isRecord(from) || !isRecord(to)) return [{ name, from, to }];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap(key =>
    fieldsOf(from[key], to[key], name === "" ? key : `${name}.${key}`),
  );
}

const edgeKey = (edge: RawEdge) => JSON.stringify([sourceOf(edge), handleOf(edge), targetOf(edge)]);

/** Compares two versions and returns the differences from the older to the newer one. */
export function compare(older: WorkflowContent, newer: WorkflowContent): Comparison {
  const [from, to] = [readDefinition(older.definition), readDefinition(newer.definition)];
  const nodes = new Map(to.nodes);
  const marks = new Map<string, DiffMark>();
  const differences: Difference[] = [];
  for (const [id, node] of to.nodes) {
    if (isStray(id)) continue;
    const before = from.nodes.get(id);
    const title = nameOf(to, id);
    const fields = before ? fieldsOf(before, node, "") : [];
    const moved = fields.filter(({ name }) => name.startsWith("position"));
    if (!before) marks.set(id, "added");
    else if (fields.length > moved.length) marks.set(id, "changed");
    const mark = marks.get(id) ?? (moved.length > 0 ? ("moved" as const) : undefined);
    if (mark) differences.push({ id, mark, title, fields: fields.filter(field => !moved.includes(field)) });
  }
  for (const [id, node] of from.nodes) {
    if (isStray(id) || nodes.has(id)) continue;
    nodes.set(id, node);
    marks.set(id, "removed");
    differences.push({ id, mark: "removed", title: nameOf(from, id), fields: [] });
  }
  const edges = new Map<string, RawEdge>();
  const edgeMarks = new Map<string, DiffMark>();
  const known = new Set([...from.edges.values()].map(edgeKey));
  const still = new Set([...to.edges.values()].map(edgeKey));
  for (const [key, edge] of to.edges) {
    edges.set(`e${edges.size}`, edge);
    if (!isStray(key) && !known.has(edgeKey(edge))) edgeMarks.set(`e${edges.size - 1}`, "added");
  }
  for (const [key, edge] of from.edges) {
    if (isStray(key) || still.has(edgeKey(edge))) continue;
    edges.set(`e${edges.size}`, edge);
    edgeMarks.set(`e${edges.size - 1}`, "removed");
  }
  for (const [key, mark] of edgeMarks) {
    const edge = edges.get(key)!;
    const names = [sourceOf(edge), targetOf(edge)].map(id => nameOf({ ...to, nodes }, id));
    differences.push({ id: sourceOf(edge), mark, title: names.join(" → "), fields: [] });
  }
  differences.push(...noteDifferences(from, to));
  const rest = (root: unknown) => {
    const others = Object.entries(isRecord(root) ? root : {}).filter(([key]) => key !== "nodes" && key !== "edges");
    return { ...Object.fromEntries(others), notes: otherNotes(root) };
  };
  const fields = [...fieldsOf(older.meta, newer.meta, ""), ...fieldsOf(rest(from.root), rest(to.root), "")];
  if (fields.length > 0) differences.push({ id: undefined, mark: "changed", title: "", fields });
  return { state: { ...to, nodes, edges, nextKey: edges.size }, marks, edgeMarks, differences };
}
