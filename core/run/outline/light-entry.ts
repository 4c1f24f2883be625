import type { JournalEntry, StepEntry } from "../entry.ts";

/**
 * An entry without its payloads, for a fold that only needs the states of steps. It has no `ends`, because that mark
 * would remove the item from the state before its last step was evaluated.
 */
export function lightEntry(entry: JournalEntry): JournalEntry {
  if (entry.event === "execution.created") return { ...entry, input: null };
  const { seq, event, at, nodeId, path, attempt, handle, error, until, suspension, child, lost, needs, awaits } = entry;
  const light: StepEntry = {
    ...{ seq, event, at },
    ...(nodeId !== undefined && { nodeId }),
    ...(path && { path }),
    ...(attempt !== undefined && { attempt }),
    ...(handle !== undefined && { handle }),
    ...(error && { error: { code: error.code, message: "" } }),
    ...(until !== undefined && { until }),
    ...(suspension && { suspension }),
    ...(child && { child: { ...child, input: null } }),
    ...(awaits && { awaits: { event: awaits.event, key: awaits.key } }),
    ...(lost && { lost }),
    ...(entry.undoable && { undoable: true }),
    ...(entry.passed && { passed: entry.passed.round ? { round: true } : {} }),
    ...(needs !== undefined && { needs }),
  };
  if (entry.record) return { ...light, record: true };
  if (entry.round !== undefined) return { ...light, round: entry.round };
  if (entry.items) {
    const kept = entry.kept?.map(([index]): [number, null] => [index, null]);
    return { ...light, items: new Array<unknown>(entry.items.length), concurrency: 1, ...(kept && { kept }) };
  }
  return light;
}
