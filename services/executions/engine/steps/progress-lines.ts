import type { ToolProgress } from "../tool-calls.ts";
import type { StepContext } from "./step.ts";

/** The most lines of one performance of a step, and the minimum time between two lines. */
const MAX_LINES = 20;
const LEAST_MS = 500;

/** Writes the progress of tool calls into the step's log, in a few lines. */
export function progressLines(context: Pick<StepContext, "log">): (what: string) => (progress: ToolProgress) => void {
  let lines = 0;
  let last = -Infinity;
  return what =>
    ({ progress, total, message }) => {
      const now = performance.now();
      if (lines >= MAX_LINES || now - last < LEAST_MS) return;
      lines++;
      last = now;
      const far = total === undefined ? String(progress) : `${progress} of ${total}`;
      context.log({ level: "info", message: `${what}: ${far}${message ? `, ${message}` : ""}` });
    };
}
