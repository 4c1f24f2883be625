import type { Step } from "../../data/run-types.ts";
import { isPass } from "../passes.ts";
import { stepKey } from "../step-state.ts";
import { rowKeyOf } from "./rows.ts";

type Edge = { source: string; target: string; undoes?: true };

/** The key of the row above a row: the item for a step inside it, the container for an item. */
function above(step: Step): string {
  const path = step.path ?? [];
  const last = path.at(-1);
  if (last === undefined) return "";
  return isPass(step) ? stepKey(last.nodeId, path.slice(0, -1)) : stepKey("", path);
}

const began = ({ startedAt }: Step) => Date.parse(startedAt ?? "");
/** Sorts unfinished rows last. */
const ended = ({ finishedAt }: Step) => (finishedAt === null ? Infinity : Date.parse(finishedAt));

const lastOf = (steps: readonly Step[]): Step | undefined =>
  steps.reduce<Step | undefined>((last, step) => (last && ended(last) >= ended(step) ? last : step), undefined);

/**
 * The step that decided when a level ended. A step that fails cancels the ones beside it, so those end last but did not
 * decide it.
 */
function decidingEnd(steps: readonly Step[]): Step | undefined {
  const last = lastOf(steps.filter(({ status }) => status !== "cancelled"));
  return last?.status === "failed" ? last : lastOf(steps);
}

/** The step that a step waited for: its predecessor that ended last before it started. */
function before(step: Step, all: readonly Step[], edges: readonly Edge[]): Step | undefined {
  const earlier = (steps: readonly Step[]) => steps.filter(one => one !== step && ended(one) <= began(step));
  const isUndoing = edges.some(({ target, undoes }) => target === step.nodeId && undoes);
  // Items wait for earlier items. Compensations wait for all other steps.
  if (isPass(step) || isUndoing) return lastOf(earlier(all));
  const sources = new Set(edges.flatMap(({ source, target }) => (target === step.nodeId ? [source] : [])));
  const leading = all.filter(({ nodeId }) => sources.has(nodeId));
  // The clocks of two nodes may differ, so a step can seem to end after its successor started.
  return lastOf(earlier(leading)) ?? lastOf(leading);
}

/**
 * Finds the rows that decided how long the run took. It starts at the step that decided the end, and goes back to the step
 * for which each one waited. Inside a container it follows the rows that are loaded.
 * @returns the keys of the rows
 */
export function criticalPath(rows: readonly Step[], edges: readonly Edge[]): Set<string> {
  const levels = new Map<string, Step[]>();
  for (const step of rows) {
    if (step.startedAt === null) continue;
    const level = levels.get(above(step));
    if (level) level.push(step);
    else levels.set(above(step), [step]);
  }
  const path = new Set<string>();
  const follow = (level: readonly Step[]) => {
    let step = decidingEnd(level);
    while (step !== undefined) {
      const key = rowKeyOf(step);
      if (path.has(key)) return;
      path.add(key);
      follow(levels.get(key) ?? []);
      step = before(step, level, edges);
    }
  };
  follow(levels.get("") ?? []);
  return path;
}
