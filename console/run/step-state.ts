import type { Step } from "../data/run-types.ts";
import type { StatusName } from "../ui/status-name.ts";

/** The displayed state of a step. */
export function stateOf({ status, waitsFor }: Pick<Step, "status" | "waitsFor">): StatusName {
  if (status === "pending") return "unstarted";
  if (status !== "waiting") return status;
  if (waitsFor === "answer") return "asking";
  return waitsFor === "retry" ? "retrying" : "suspended";
}

/** The states of the step that a view shows first, the most important one first. */
const NOTABLE: readonly Step["status"][] = ["running", "waiting", "failed"];

/** The step where the run is, or where it failed. */
export function notableOf(steps: Iterable<Step>): Step | undefined {
  const first = new Map<Step["status"], Step>();
  for (const step of steps) if (!first.has(step.status)) first.set(step.status, step);
  return first.get(NOTABLE.find(status => first.has(status)) ?? "pending");
}

/** The key of a row, which is a step or an item, including the items around it. */
export const stepKey = (nodeId: string, path: Step["path"]): string =>
  [...(path ?? []).map(part => `${part.nodeId}:${part.index}`), nodeId].join("/");

/** Writes the items around a step for the address: `each:17/inner:2`. */
export const pathText = (path: Step["path"]): string | undefined =>
  path && path.length > 0
    ? path.map(({ nodeId, index }) => `${encodeURIComponent(nodeId)}:${index}`).join("/")
    : undefined;

export function pathFromText(text: string | undefined): NonNullable<Step["path"]> {
  if (text === undefined) return [];
  return text.split("/").flatMap(part => {
    const at = part.lastIndexOf(":");
    const index = Number(part.slice(at + 1));
    return at > 0 && Number.isInteger(index) && index >= 0
      ? [{ nodeId: decodeURIComponent(part.slice(0, at)), index }]
      : [];
  });
}
