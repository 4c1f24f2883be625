// Loaded with --import into a process under test. It lets two workers append at the same place of a journal, which the
// uniqueness of the ids normally prevents. A test then has to find the faults that the fence prevents.
import { registerHooks } from "node:module";

const FENCED = "id: journalId(executionId, seq),";
const OPEN = "id: journalId(executionId, seq) + (seq > 0 ? `:${Math.random()}` : ''),";

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith("/services/executions/store/journal.ts")) return loaded;
    const source = typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source);
    if (!source.includes(FENCED)) throw new Error("The fence is no longer where it is taken out.");
    return { ...loaded, source: source.replace(FENCED, OPEN) };
  },
});
