import { handle } from "../../../contracts/call.ts";
import type { PathPart } from "../../../contracts/entities/execution.ts";
import { type ExecutionMatch, MAX_MATCHES } from "../../../contracts/entities/run-comparison.ts";
import type { JournalEntry } from "../../../core/run/entry.ts";
import { findText } from "../../../core/run/find-text.ts";
import { keyOf } from "../../../core/run/frame.ts";
import { getExecution, journalOf } from "../store/read-execution.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

/** A search ends after this time. Callers give up after 10 seconds, and may wait for a turn before. */
const MAX_SEARCH_MS = 3_000;

interface Searched extends Pick<ExecutionMatch, "nodeId" | "path" | "in"> {
  value: unknown;
}

/**
 * The values of a run that a search examines. It skips the output of a map, because the steps of its items are
 * examined.
 */
class SearchedValues {
  readonly #maps = new Set<string>();

  *of(entry: JournalEntry): Generator<Searched> {
    if (entry.event === "execution.created") {
      yield { nodeId: null, in: "input", value: entry.input };
      return;
    }
    const { nodeId, path, event, items, kept = [], output, error } = entry;
    if (nodeId === undefined) return;
    const at = { nodeId, ...(path && { path }) };
    if (items) this.#maps.add(keyOf(at));
    for (const [index, value] of kept) {
      const item: PathPart[] = [...(path ?? []), { nodeId, index }];
      yield { nodeId, path: item, in: "output", value };
    }
    if (event !== "step.completed" && event !== "step.failed") return;
    if (output !== undefined && !this.#maps.has(keyOf(at))) yield { ...at, in: "output", value: output };
    // The output of a step whose failure was handled contains the error.
    else if (event === "step.failed" && error) yield { ...at, in: "error", value: error };
  }
}

export const search = handle<"executions.search", ExecutionsService>("executions.search", async function (ctx) {
  const doc = await getExecution(this, ctx.params);
  const wanted = ctx.params.q.toLowerCase();
  const searched = new SearchedValues();
  const matches: ExecutionMatch[] = [];
  return this.reads.run(async () => {
    const until = performance.now() + MAX_SEARCH_MS;
    const isLate = () => performance.now() > until;
    for await (const { entries } of journalOf(this, doc).appendsFrom(0)) {
      for (const entry of entries) {
        for (const { value, ...at } of searched.of(entry)) {
          for (const found of findText(await this.values.shown(doc.workspaceId, value), wanted)) {
            if (found && matches.length === MAX_MATCHES) return { matches, complete: false };
            if (found) matches.push({ ...at, ...found });
            // Other work gets a turn between the parts of a large value.
            else await new Promise(setImmediate);
            if (isLate()) return { matches, complete: false };
          }
        }
        if (isLate()) return { matches, complete: false };
      }
    }
    return { matches, complete: true };
  });
});
