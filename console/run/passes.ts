import type { Step } from "../data/run-types.ts";
import { runTexts } from "../messages/en-run.ts";

/** Whether a row is an item of a map or a round of a loop instead of a step. */
export const isPass = ({ type }: Pick<Step, "type">): boolean => type === "item" || type === "round";

/** The displayed name of a row. */
export function nameOf(step: Step): string {
  if (!isPass(step)) return step.name;
  const index = step.path?.at(-1)?.index ?? 0;
  return step.type === "round" ? runTexts.run.round(index) : runTexts.run.item(index);
}

/** The progress of a map, or the number of rounds that a loop has started. */
export const passesText = ({ completed, failed, total, rounds }: NonNullable<Step["items"]>): string =>
  rounds ? runTexts.run.rounds(total) : runTexts.run.itemsDone(completed + failed, total);

/** The item or round that is shown by default: the first item, or the last round. */
export const shownPass = (step: Step | undefined): number =>
  step?.items?.rounds ? Math.max(0, step.items.total - 1) : 0;
