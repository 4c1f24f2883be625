import type { JournalEntry } from "./entry.ts";
import { largeIn, largeOf } from "./references.ts";
import { isUnderstood, NewerEntryError } from "./newer-entry.ts";
import { giveUpAll } from "./put-node.ts";
import { emptyState, type RunState } from "./state.ts";
import { applyStep } from "./step-state.ts";

/** Whether the entry refers to a large value. Lists of large values follow the entries of their items. */
function refersToLarge(entry: JournalEntry): boolean {
  if (entry.event === "execution.created") return largeOf(entry.input) !== undefined;
  const { output, itemOutput, kept, formerRecords } = entry;
  if (largeOf(output) ?? largeOf(itemOutput)) return true;
  return (
    (kept?.some(([, item]) => largeIn(item).length > 0) ?? false) ||
    (formerRecords?.some(record => largeOf(record.output)) ?? false) ||
    // A retry may keep an object of outputs with large values.
    (entry.message !== undefined && entry.event === "step.completed" && largeIn(output).length > 0)
  );
}

/**
 * Applies one entry to the state. Entries come in the order of their seq.
 * @throws {NewerEntryError} when this version does not understand the entry
 */
export function apply(state: RunState, entry: JournalEntry): void {
  if (!isUnderstood(entry)) throw new NewerEntryError();
  state.seq = entry.seq;
  state.hasLarge ||= refersToLarge(entry);
  switch (entry.event) {
    case "execution.created":
      state.input = entry.input;
      state.trigger = entry.trigger;
      state.retryOf = entry.retryOf;
      state.retryFrom = entry.retryFrom;
      state.traceparent = entry.traceparent;
      break;
    case "execution.started":
      state.status = "running";
      state.startedAt = entry.at;
      break;
    case "execution.suspended":
      state.status = "suspended";
      break;
    case "execution.resumed":
      if (entry.lost) state.takeovers++;
      state.status = "running";
      break;
    case "execution.completed":
      state.status = "completed";
      state.output = entry.output;
      break;
    case "execution.failed":
      state.status = "failed";
      state.error = entry.error ?? null;
      break;
    case "execution.compensating":
      state.status = "running";
      state.undoing = { error: entry.error ?? null, cancelled: entry.cancels === true };
      state.compensation = { status: "running", compensated: [], failed: [] };
      giveUpAll(state);
      break;
    case "execution.compensated":
      state.compensation = entry.compensation ?? null;
      break;
    case "execution.cancelled":
      state.status = "cancelled";
      state.error = entry.error ?? null;
      // The cancel may have interrupted compensations.
      state.compensation = entry.compensation ?? state.compensation;
      break;
    default:
      applyStep(state, entry, entry.nodeId ?? "");
  }
}

export function fold(entries: Iterable<JournalEntry>, state = emptyState()): RunState {
  for (const entry of entries) apply(state, entry);
  return state;
}
