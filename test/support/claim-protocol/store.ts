import { isFinal } from "../../../core/run/state.ts";
import { changed, matches, type Change, type Doc, type Filter } from "./documents.ts";
import type { Rules } from "./rules.ts";
import type { State } from "./state.ts";
import { claim, giveBack, type Variant, type Write } from "./writes.ts";

export interface Written {
  state: State;
  /** The number of changed documents, or `conflict` if the place in the journal was taken. */
  matched: number | "conflict";
}

/** The store, one write at a time. Of a list of writes, only a prefix may ever arrive. */
export class ModelStore {
  private readonly rules: Rules;
  private readonly variant: Variant;

  constructor(rules: Rules, variant: Variant) {
    this.rules = rules;
    this.variant = variant;
  }

  write(state: State, write: Write): Written {
    if (write.kind === "append") {
      const { execution: e, append } = write;
      const journal = state.journals[e]!;
      const isTaken = append.entries[0]!.seq <= this.rules.view(journal).seq;
      if (isTaken && !this.variant.withoutFence) return { state, matched: "conflict" };
      return { state: { ...state, journals: state.journals.with(e, this.rules.append(journal, append)) }, matched: 1 };
    }
    if (write.kind === "update") return this.update(state, [write.execution], write.filter, write.change);
    const { filter, change } = write.kind === "claim" ? claim(write.worker) : giveBack(write.worker);
    return this.update(state, write.kind === "claim" ? [write.execution] : [...state.docs.keys()], filter, change);
  }

  private update(state: State, executions: number[], filter: Filter, change: Change): Written {
    let [after, matched] = [state, 0];
    for (const e of executions) {
      const doc = after.docs[e]!;
      if (!matches(doc, filter)) continue;
      after = withDoc(after, e, changed(doc, change));
      matched++;
    }
    return { state: after, matched };
  }
}

function withDoc(state: State, e: number, doc: Doc): State {
  const ended = state.ended[e] || !isFinal(doc.status as never) ? state.ended : state.ended.with(e, true);
  return { ...state, docs: state.docs.with(e, doc), ended };
}
