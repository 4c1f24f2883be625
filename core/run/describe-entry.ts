import type { LogEntry } from "../../contracts/entities/execution.ts";
import type { StepEntry } from "./entry.ts";

/** The text of a log entry. It is derived, so the journal holds only facts. */
export function describeEntry(entry: StepEntry): string {
  const step = `Step "${entry.nodeId ?? ""}"`;
  const why = entry.error?.message ?? "";
  switch (entry.event) {
    case "execution.started":
      return "The run started.";
    case "execution.suspended":
      return `Waits for an answer at "${entry.nodeId ?? ""}".`;
    case "execution.resumed":
      return "The run continues.";
    case "execution.completed":
      return "The run completed.";
    case "execution.failed":
      return `The run failed: ${why}`;
    case "execution.cancelled":
      return "The run was cancelled.";
    case "execution.compensating":
      return entry.cancels
        ? "The run was cancelled and undoes what it has done."
        : `The run failed and undoes what it has done: ${why}`;
    case "execution.compensated": {
      const { compensated = [], failed = [] } = entry.compensation ?? {};
      const undone = compensated.length === 1 ? "1 step was undone" : `${compensated.length} steps were undone`;
      return failed.length === 0 ? `${undone}.` : `${undone}, ${failed.length} could not be: ${failed.join(", ")}.`;
    }
    case "step.started":
      return (entry.attempt ?? 1) > 1 ? `${step} started again, attempt ${entry.attempt ?? 1}.` : `${step} started.`;
    case "step.completed":
      return entry.durationMs === undefined ? `${step} completed.` : `${step} completed in ${entry.durationMs} ms.`;
    case "step.failed":
      return `${step} failed: ${why}`;
    case "step.retrying":
      return `${step} failed and is tried again at ${entry.until ?? "once"}: ${why}`;
    case "step.skipped":
      return `${step} was skipped: no branch leads to it.`;
    case "step.log":
      if (entry.round !== undefined) {
        const when = entry.until === undefined ? "begins" : `waits until ${entry.until} to begin`;
        return `${step} ${when} round ${entry.round}.`;
      }
      if (entry.items) return `${step} runs for ${entry.items.length} items.`;
      if (entry.child)
        return entry.suspension
          ? `${step} waits: the run that it started asks a question.`
          : `${step} waits for another run.`;
      if (entry.awaits) {
        const { event, key } = entry.awaits;
        if (event === undefined) return `${step} waits for a call of its address.`;
        return `${step} waits for the signal "${event}"${key === undefined ? "" : ` with the key "${key}"`}.`;
      }
      if (entry.suspension) return `${step} asks: ${entry.suspension.prompt}`;
      return `${step} waits until ${entry.until ?? ""}.`;
  }
}

export function levelOf({ event, level, cancels }: StepEntry): LogEntry["level"] {
  if (level) return level;
  if (event === "step.failed" || event === "execution.failed") return "error";
  if (event === "execution.compensating") return cancels ? "warn" : "error";
  return event === "step.retrying" || event === "execution.cancelled" ? "warn" : "info";
}
