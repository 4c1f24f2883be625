import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Execution } from "../../sdk/definition.ts";
import { useRunEvents } from "../data/run-events.ts";
import { runQuery, stepsQuery } from "../data/run.ts";
import type { RunAddress, Step } from "../data/run-types.ts";
import { shownPass } from "../run/passes.ts";

const FINAL: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);
const NONE: ReadonlyMap<string, Step> = new Map();

/** The run that is shown on the canvas, followed while it goes on. In containers, the steps of the first item or the last round are shown. */
export function useRunHere(at: RunAddress | undefined): {
  run: Execution | undefined;
  steps: ReadonlyMap<string, Step>;
} {
  const address = at ?? { workspaceId: "", spaceId: "", id: "" };
  const enabled = at !== undefined;
  const { data: run } = useQuery({ ...runQuery(address), enabled });
  useRunEvents(address, enabled && run !== undefined && !FINAL.has(run.status));
  const { data: root } = useQuery({ ...stepsQuery(address, []), enabled });
  const begun = root?.steps.find(({ items }) => (items?.total ?? 0) > 0);
  const container = begun?.nodeId;
  const inner = useQuery({
    ...stepsQuery(address, [{ nodeId: container ?? "", index: shownPass(begun) }]),
    enabled: enabled && container !== undefined,
  });
  const steps = useMemo(() => {
    if (!enabled || !root) return NONE;
    const inside = container === undefined ? [] : (inner.data?.steps ?? []);
    return new Map([...inside, ...root.steps].map(step => [step.nodeId, step]));
  }, [enabled, root, inner.data, container]);
  return { run: enabled ? run : undefined, steps };
}
