import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { stepsQuery } from "../data/run.ts";
import type { RunAddress, Step, StepPath } from "../data/run-types.ts";
import type { GraphStep } from "./graph/definition.ts";
import { shownPass } from "./passes.ts";

/** The states of the steps inside the selected item or round of each container, for the frames of the graph. */
export function useShownSteps(
  at: RunAddress,
  root: readonly Step[] | undefined,
  graph: { steps: GraphStep[] },
  path: StepPath,
  selected: string | undefined,
) {
  const holding = new Set(graph.steps.map(({ parentId }) => parentId));
  const containers = graph.steps.filter(({ id, parentId }) => parentId === undefined && holding.has(id));
  const container = (containers.find(({ id }) => id === selected) ?? containers[0])?.id;
  const shown = shownPass(root?.find(({ nodeId }) => nodeId === container));
  const outer = path[0] ?? (container === undefined ? undefined : { nodeId: container, index: shown });
  const begun = root?.some(({ nodeId, items }) => nodeId === outer?.nodeId && (items?.total ?? 0) > 0) ?? false;
  const first = useQuery({ ...stepsQuery(at, outer ? [outer] : []), enabled: begun && outer !== undefined });
  const inner = useQuery({ ...stepsQuery(at, [...path]), enabled: path.length > 1 });
  const shownSteps = useMemo(() => {
    const all = [
      ...(root ?? []),
      ...(begun ? (first.data?.steps ?? []) : []),
      ...(path.length > 1 ? (inner.data?.steps ?? []) : []),
    ];
    return new Map(all.map(step => [step.nodeId, step]));
  }, [root, begun, first.data, inner.data, path.length]);
  const last = path.at(-1) ?? (begun ? outer : undefined);
  const around = last && shownSteps.get(last.nodeId);
  return { shown: shownSteps, item: around?.items && last ? { container: around, index: last.index } : undefined };
}
