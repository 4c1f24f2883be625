import { inSlices, TimeSlices } from "../../adapters/time-slices.ts";
import type { Extraction } from "../../contracts/entities/memory.ts";
import { type Candidate, type Decision, decisionSteps } from "../../core/memory/decide.ts";
import { askForDecisions, failureOf } from "./ask-model.ts";
import { RULES } from "./extract.ts";
import type { MemoryDoc } from "./model.ts";
import type { MemoryService } from "./service.ts";

export interface Judged {
  doc: MemoryDoc;
  candidates: readonly Candidate[];
}

const byRules = (
  { content, slots = null, eventDate = null }: MemoryDoc,
  candidates: readonly Candidate[],
  turns: TimeSlices,
  nearby: readonly Candidate[] = [],
): Promise<Decision> => inSlices(decisionSteps({ content, slots, eventDate }, candidates, { nearby }), turns);

/**
 * Makes the decisions for one ingest by the rules. If a language model extracted the facts, that model decides where
 * the rules find nothing.
 */
export class Judge {
  readonly #service: MemoryService;
  readonly #workspaceId: string;
  #extraction: Extraction;
  readonly #opinions = new Map<string, Decision>();

  constructor(service: MemoryService, workspaceId: string, extraction: Extraction) {
    this.#service = service;
    this.#workspaceId = workspaceId;
    this.#extraction = extraction;
  }

  /** How the facts were extracted, and the failures since then. */
  get extraction(): Extraction {
    return this.#extraction;
  }

  /** Whether a model is asked about facts for which the rules find nothing. */
  get asksModel(): boolean {
    return this.#extraction.by !== RULES && this.#extraction.fallback === null;
  }

  /**
   * Asks the model, in one request, about all facts for which the rules find nothing. After a failure it is not asked
   * again.
   */
  async prepare(judged: readonly Judged[]): Promise<void> {
    if (!this.asksModel) return;
    const turns = new TimeSlices();
    const open: Judged[] = [];
    for (const one of judged) {
      const { doc, candidates } = one;
      if (candidates.length > 0 && (await byRules(doc, candidates, turns)).kind === "add") open.push(one);
    }
    if (open.length === 0) return;
    const comparisons = open.map(({ doc, candidates }) => ({ content: doc.content, candidates }));
    try {
      const decisions = await askForDecisions(this.#service, this.#workspaceId, comparisons);
      for (const [at, { doc }] of open.entries()) this.#opinions.set(doc.id, decisions[at]!);
    } catch (error) {
      this.#service.logger.warn("The language model could not compare memories; the rules compared them.", error);
      this.#extraction = { ...this.#extraction, fallback: failureOf(error) };
    }
  }

  /**
   * The candidates may have changed since the model saw them. Some may be gone, and the same text may have added
   * others.
   * Of the memories `nearby`, only the words are compared. Other requests get turns in between.
   */
  async decide(
    doc: MemoryDoc,
    candidates: readonly Candidate[],
    turns: TimeSlices,
    nearby: readonly Candidate[] = [],
  ): Promise<Decision> {
    const decision = await byRules(doc, candidates, turns, nearby);
    const opinion = this.#opinions.get(doc.id);
    if (decision.kind !== "add" || !opinion || opinion.kind === "add") return decision;
    const there = new Set(candidates.map(({ id }) => id));
    if (opinion.kind === "same") return there.has(opinion.id) ? opinion : decision;
    const ids = opinion.ids.filter(id => there.has(id));
    return ids.length > 0 ? { kind: "supersede", ids } : decision;
  }
}
