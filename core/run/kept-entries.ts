import { selfAndDownstream } from "../graph/downstream.ts";
import type { Graph, GraphNode } from "../graph/graph.ts";
import type { KeptEntry } from "./advance.ts";
import { NEEDS_LOOPS } from "../graph/journal-formats.ts";
import { addressIn, type Frame, type MapState, type NodeState, type RoundState } from "./frame.ts";
import { isSettled, joinsAny } from "./plan.ts";
import { SameSteps } from "./same-steps.ts";
import { isUndoable, isUndoneInside } from "./undo.ts";

/**
 * The sources that a finished node waited for, once for each edge. A merge of mode `any` that completed waited only for
 * the sources that its output names. Every other node waited for all.
 */
function awaitedBy(node: GraphNode, before: NodeState): GraphNode[] {
  const sources = node.in.map(({ source }) => source);
  if (!joinsAny(node) || before.status !== "completed") return sources;
  const joined = new Set(Object.keys(Object(before.output) as object));
  return sources.filter(({ id }) => joined.has(id));
}

/**
 * The candidates whose awaited sources are kept too, each after them, and otherwise in the order of the definition:
 * passes over the definition, each of which keeps what it can. The pass of a node follows from those of its sources, so
 * one walk along the edges finds it (Kahn, 1962).
 */
function inPasses(candidates: ReadonlyMap<GraphNode, NodeState>): GraphNode[] {
  const order = new Map([...candidates.keys()].map((node, place) => [node, place]));
  const placeOf = (node: GraphNode) => order.get(node) ?? 0;
  const open = new Map<GraphNode, number>();
  const followers = new Map<GraphNode, GraphNode[]>();
  for (const [node, before] of candidates) {
    const sources = awaitedBy(node, before);
    open.set(node, sources.length);
    for (const source of sources) {
      const list = followers.get(source);
      if (list) list.push(node);
      else followers.set(source, [node]);
    }
  }
  const passes = new Map<GraphNode, number>();
  const kept = [...candidates.keys()].filter(node => open.get(node) === 0);
  // Iterating over a list includes items that are added meanwhile.
  for (const node of kept) {
    const pass = passes.get(node) ?? 0;
    for (const next of followers.get(node) ?? []) {
      const least = placeOf(node) < placeOf(next) ? pass : pass + 1;
      passes.set(next, Math.max(passes.get(next) ?? 0, least));
      const left = (open.get(next) ?? 0) - 1;
      open.set(next, left);
      if (left === 0) kept.push(next);
    }
  }
  return kept.sort((a, b) => (passes.get(a) ?? 0) - (passes.get(b) ?? 0) || placeOf(a) - placeOf(b));
}

/** The finished nodes of one level that can be kept unchanged, each after the sources that it waited for. */
function keptNodes(same: SameSteps, is: Graph, frame: Frame, again: ReadonlySet<string>): GraphNode[] {
  const candidates = new Map<GraphNode, NodeState>();
  for (const node of is.nodes) {
    const before = frame.nodes.get(node.id);
    const finished = isSettled(before) && (before.status === "skipped" || before.handle !== null);
    // A step that was undone has to run again.
    const former = same.formerOf(node);
    const undone =
      node.undoes !== null ||
      frame.nodes.has(former?.compensation?.id ?? "") ||
      isUndoneInside(former?.body ?? null, before?.past);
    if (finished && !undone && !again.has(node.id) && same.has(node)) candidates.set(node, before);
  }
  return inPasses(candidates);
}

const KEPT = "Kept from the run before.";

/** The entries of a settled step, and of its ended passes if compensations may have to undo steps in them. */
function settledEntries(is: GraphNode, frame: Frame, node: NodeState): KeptEntry[] {
  const at = addressIn(frame, is.id);
  if (node.status === "skipped") return [{ event: "step.skipped", ...at }];
  const undoable = frame.parent && node.status === "completed" && isUndoable(is) ? { undoable: true as const } : {};
  const settled = { output: node.output, handle: node.handle ?? "out", message: KEPT, ...undoable };
  const past = keepPast(is, node);
  return [
    ...(past.length > 0 ? [{ event: "step.started" as const, ...at, attempt: 1 }, ...past] : []),
    { event: "step.completed", ...at, ...settled },
  ];
}

/** The entries of settled steps in ended passes, in the order in which they finished. */
function keepPast({ body }: GraphNode, { past }: NodeState): KeptEntry[] {
  const passes = [...(past?.values() ?? [])];
  const settled = passes.flatMap(pass =>
    (body?.nodes ?? []).flatMap(inner => {
      const node = pass.nodes.get(inner.id);
      return isSettled(node) && node.status !== "skipped" && node.handle !== null ? [{ pass, inner, node }] : [];
    }),
  );
  settled.sort((a, b) => (a.node.completedAt ?? 0) - (b.node.completedAt ?? 0));
  const begun = new Set<Frame>();
  return settled.flatMap(({ pass, inner, node }) => {
    const facts = begun.has(pass) ? {} : { item: pass.item ?? null, ...(pass.isRound && { round: true as const }) };
    begun.add(pass);
    // The entries of inner passes already carry this mark.
    return settledEntries(inner, pass, node).map((entry, n) =>
      entry.path?.length === pass.path.length ? { ...entry, passed: n === 0 ? facts : {} } : entry,
    );
  });
}

/** What an unfinished loop keeps: its current round, with the finished steps of the round. */
const keepRound = ({ index, carry }: RoundState): Partial<KeptEntry> => ({
  ...{ round: index, output: carry ?? null, needs: NEEDS_LOOPS },
});

/** What an unfinished map keeps: the outputs of its finished items, and the finished steps of the other items. */
function keepItems({ items, concurrency, outputs }: MapState): Partial<KeptEntry> {
  const kept = outputs.flatMap((output, index) => (output === undefined ? [] : [[index, output] as const]));
  return { items, concurrency, kept };
}

function keepMap(same: SameSteps, is: GraphNode, frame: Frame, node: NodeState): KeptEntry[] {
  const { map } = node;
  if (!map || !is.body) return [];
  const at = addressIn(frame, is.id);
  const facts = map.round ? keepRound(map.round) : keepItems(map);
  const begun: KeptEntry[] = [
    { event: "step.started", ...at, attempt: 1 },
    { event: "step.log", ...at, attempt: 1, ...facts, message: KEPT },
  ];
  const { body } = is;
  const inner = same.formerOf(is)?.body
    ? [...map.frames.values()].flatMap(pass => keepFrame(same, body, pass, new Set()))
    : [];
  return [...begun, ...keepPast(is, node), ...inner];
}

function keepFrame(same: SameSteps, is: Graph, frame: Frame, again: ReadonlySet<string>): KeptEntry[] {
  const kept = new Set(keptNodes(same, is, frame, again));
  const entries = [...kept].flatMap(is => {
    const node = frame.nodes.get(is.id);
    return node ? settledEntries(is, frame, node) : [];
  });
  for (const graphNode of is.nodes) {
    const node = frame.nodes.get(graphNode.id);
    if (!node || graphNode.undoes || again.has(graphNode.id) || kept.has(graphNode)) continue;
    if (!graphNode.in.every(({ source }) => kept.has(source))) continue;
    if (!same.has(graphNode)) continue;
    if (node.map) entries.push(...keepMap(same, graphNode, frame, node));
    else if (node.records) {
      const former = { attempt: node.attempt, formerRecords: node.records.list };
      const message = "Continues with the records of the run before.";
      entries.push({ event: "step.log", ...addressIn(frame, graphNode.id), ...former, message });
    } else if (node.child) {
      const former = { attempt: node.attempt, formerChild: node.child.id };
      entries.push({ event: "step.log", ...addressIn(frame, graphNode.id), ...former, message: "Tried again." });
    }
  }
  return entries;
}

/**
 * What a retry takes over from the earlier run: results of finished steps, and branches that were not taken. Only parts
 * that the current version has unchanged are kept. The step `from` runs again, with all its successors.
 */
export function keptEntries(was: Graph, is: Graph, before: Frame, from: string | null): KeptEntry[] {
  const start = from === null ? undefined : is.byId.get(from);
  return keepFrame(new SameSteps(was), is, before, selfAndDownstream(start));
}
