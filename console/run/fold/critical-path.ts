import type { Step } from "../../data/run-types.ts";
import { isPass } from "../passes.ts";
import { stepKey } from "../step-state.ts";
import { rowKeyOf } from "./rows.ts";

type Edge = { source: string; target: string; undoes?: true };

/** The row that a row stands below: a step inside an item below the item, an item below its container. */
function above(step: Step): string {
  const path = step.path ?? [];
  const last = path.at(-1);
  if (last === undefined) return "";
  return isPass(step) ? stepKey(last.nodeId, path.slice(0, -1)) : stepKey("", path);
}

const began = ({ startedAt }: Step) => Date.parse(startedAt ?? "");
/** What has not ended yet ends last. */
const ended = ({ finishedAt }: Step) => (finishedAt === null ? Infinity : Date.parse(finishedAt));

const lastOf = (steps: readonly Step[]): Step | undefined =>
  steps.reduce<Step | undefined>((last, step) => (last && ended(last) >= ended(step) ? last : step), undefined);

/** What a step waited for: of the steps that lead to it, the one that ended last before it began. */
function before(step: Step, all: readonly Step[], edges: readonly Edge[]): Step | undefined {
  const earlier = (steps: readonly Step[]) => steps.filter(one => one !== step && ended(one) <= began(step));
  const isUndoing = edges.some(({ target, undoes }) => target === step.nodeId && undoes);
  // Items wait for those before them, and what undoes steps waits for the end of all others.
  if (isPass(step) || isUndoing) return lastOf(earlier(all));
  const sources = new Set(edges.flatMap(({ source, target }) => (target === step.nodeId ? [source] : [])));
  const leading = all.filter(({ nodeId }) => sources.has(nodeId));
  // By the clocks of two nodes, a step may seem to end after the next one began.
  return lastOf(earlier(leading)) ?? lastOf(leading);
}

/**
 * The rows that decided how long the run took: from the step that ended last back to the start, each time the step for
 * which the next one waited. Inside a container it goes on with the rows that are loaded.
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
    let step = lastOf(level);
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
