import { TimeSlices } from "../../adapters/time-slices.ts";
import type { Vector } from "../../adapters/search/port.ts";
import type { Candidate, Decision } from "../../core/memory/decide.ts";
import type { Fact } from "../../core/memory/fact.ts";
import { candidateOf, candidatesFor, latestOf } from "./candidates.ts";
import type { Judge } from "./judge.ts";
import type { MemoryDoc } from "./model.ts";
import type { MemoryService, MemoryOwner } from "./service.ts";
import type { Addition } from "./write.ts";

/** A fact in its stored form, with its history. */
export interface Draft {
  doc: MemoryDoc;
  span: Fact["span"] & { text: string };
  vector?: Vector | undefined;
}

/** The number of facts that are looked up, and sent to a model, together. */
const GROUP = 20;

const sayings: Record<Decision["kind"], string> = {
  same: "same",
  add: "new: it contradicts nothing that is known",
  supersede: "a newer value, or the opposite, of what was known",
};

/**
 * How the facts of one text change the stored memories. Each fact is also compared with the facts before it. Known
 * facts are left out.
 */
export async function resolve(
  service: MemoryService,
  workspaceId: string,
  place: MemoryOwner,
  drafts: readonly Draft[],
  judge: Judge,
): Promise<Addition[]> {
  const planned = new Map<string, Addition>();
  const gone = new Set<string>();
  const turns = new TimeSlices();
  const candidates = new Map<string, Candidate>();
  const candidate = (doc: MemoryDoc): Candidate => {
    const one = candidates.get(doc.id) ?? candidateOf(doc);
    candidates.set(doc.id, one);
    return one;
  };
  const latest = drafts.length > 0 ? await latestOf(service, workspaceId, place) : [];
  for (let from = 0; from < drafts.length; from += GROUP) {
    const group = drafts.slice(from, from + GROUP);
    const statements = group.map(({ doc, vector }) => ({ said: doc, vector }));
    const known = await candidatesFor(service, workspaceId, place, statements, { similar: judge.asksModel });
    await judge.prepare(group.map(({ doc }, at) => ({ doc, candidates: known[at]!.map(candidate) })));
    for (const [at, { doc, span, vector }] of group.entries()) {
      await turns.next();
      const before = [...known[at]!, ...[...planned.values()].map(one => one.doc)].filter(({ id }) => !gone.has(id));
      const found = new Set(before.map(({ id }) => id));
      const nearby = latest.filter(({ id }) => !gone.has(id) && !found.has(id));
      const decision = await judge.decide(doc, before.map(candidate), turns, nearby.map(candidate));
      if (decision.kind === "same") continue;
      const replaced = decision.kind === "supersede" ? decision.ids : [];
      // A fact that the text itself retracts is not stored, but the memories that it superseded stay superseded.
      const inherited = replaced.flatMap(id => planned.get(id)?.supersedes ?? []);
      const stored = replaced.filter(id => !planned.has(id));
      for (const id of replaced) {
        gone.add(id);
        planned.delete(id);
      }
      const supersedes = [...new Set([...inherited, ...stored])];
      planned.set(doc.id, { doc, supersedes, decision: sayings[decision.kind], span, vector });
    }
  }
  return [...planned.values()];
}
