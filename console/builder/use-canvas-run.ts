import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import type { Execution } from "../../sdk/definition.ts";
import { useRunEvents } from "../data/run-events.ts";
import { runQuery, stepsQuery } from "../data/run.ts";
import type { RunAddress, Step, StepPath } from "../data/run-types.ts";
import { shownPass } from "../run/passes.ts";

const FINAL: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);
const NONE: ReadonlyMap<string, Step> = new Map();

/** The item or round of a container that is shown. */
export interface ShownPass {
  container: Step;
  index: number;
}

export interface CanvasRun {
  run: Execution | undefined;
  steps: ReadonlyMap<string, Step>;
  /** Undefined if no container has started. */
  pass: ShownPass | undefined;
  /** Shows another item or round. */
  go: (path: StepPath) => void;
}

/**
 * The run on the canvas, which is followed while it goes on. For a container, the canvas shows the steps of one item or
 * round: the chosen one, or else the first item or the last round. `around` are the containers of the selected step,
 * outermost first.
 */
export function useCanvasRun(at: RunAddress | undefined, around: readonly string[]): CanvasRun {
  const address = at ?? { workspaceId: "", spaceId: "", id: "" };
  const enabled = at !== undefined;
  const [chosen, setChosen] = useState<{ run: string; path: StepPath }>();
  const path = chosen?.run === address.id ? chosen.path : [];
  const { data: run } = useQuery({ ...runQuery(address), enabled });
  useRunEvents(address, enabled && run !== undefined && !FINAL.has(run.status));
  const { data: root } = useQuery({ ...stepsQuery(address, []), enabled });
  const passOf = (steps: readonly Step[] | undefined, id: string | undefined, depth: number): ShownPass | undefined => {
    const container = steps?.find(({ nodeId, items }) => nodeId === id && (items?.total ?? 0) > 0);
    if (!container) return undefined;
    const index = path[depth]?.nodeId === id ? path[depth]?.index : undefined;
    return { container, index: index ?? shownPass(container) };
  };
  const begun = root?.steps.find(({ items }) => (items?.total ?? 0) > 0)?.nodeId;
  const outer = passOf(root?.steps, around[0], 0) ?? passOf(root?.steps, path[0]?.nodeId ?? begun, 0);
  const outerAt = outer && { nodeId: outer.container.nodeId, index: outer.index };
  const { data: first } = useQuery({ ...stepsQuery(address, outerAt ? [outerAt] : []), enabled: enabled && !!outerAt });
  // The inner container: that of the selected step, or the one whose pass was chosen.
  const isSame = around[0] === undefined || around[0] === outerAt?.nodeId;
  const inner = outerAt && isSame ? passOf(first?.steps, around[1] ?? path[1]?.nodeId, 1) : undefined;
  const innerPath = outerAt && inner ? [outerAt, { nodeId: inner.container.nodeId, index: inner.index }] : [];
  const { data: second } = useQuery({ ...stepsQuery(address, innerPath), enabled: enabled && inner !== undefined });
  const isOuter = outerAt !== undefined;
  const steps = useMemo(() => {
    if (!enabled || !root) return NONE;
    const inside = isOuter ? (first?.steps ?? []) : [];
    return new Map([...(second?.steps ?? []), ...inside, ...root.steps].map(step => [step.nodeId, step]));
  }, [enabled, root, first, second, isOuter]);
  const go = useCallback((next: StepPath) => setChosen({ run: address.id, path: next }), [address.id]);
  return { run: enabled ? run : undefined, steps, pass: enabled ? (inner ?? outer) : undefined, go };
}
