import { MAX_PREVIEW, type ShortError } from "../../../contracts/entities/execution-step.ts";
import type { ExecutionError } from "../../../contracts/entities/execution.ts";
import { clip } from "../../clip.ts";
import { hashText } from "../../hash-text.ts";
import type { JournalEntry, StepEntry } from "../entry.ts";
import { apply } from "../fold.ts";
import { frameAt, isActive } from "../frame.ts";
import { largeOf } from "../references.ts";
import { emptyState, isFinal } from "../state.ts";
import { endItem } from "../step-state.ts";
import { addRecord } from "./agent-turns.ts";
import {
  addItem,
  type ItemFacts,
  type Level,
  levelAt,
  type MapFacts,
  newLevel,
  newStep,
  type JournalPosition,
  type StepFacts,
} from "./facts.ts";
import { lightEntry } from "./light-entry.ts";

const MAX_MESSAGE = 500;
/** The heap bytes of one step or item without its preview, measured and rounded up. */
const FACTS_BYTES = 600;

const shortError = ({ code, message, nodeId, origin }: ExecutionError): ShortError => ({
  code,
  message: clip(message, MAX_MESSAGE),
  ...(nodeId !== undefined && { nodeId }),
  ...(origin && { origin }),
});

type Output = Pick<StepFacts, "outputBytes" | "preview" | "digest">;

const isAboutStep = (entry: JournalEntry): entry is StepEntry & { nodeId: string } =>
  entry.event.startsWith("step.") && "nodeId" in entry;

/**
 * What lists show of all steps of a run, without payloads. The states come from the engine's own fold, over entries
 * without payloads. Finished items stay here, while the engine drops them.
 */
export class Outline {
  readonly root: Level = newLevel([]);
  readonly #state = emptyState();
  /** The estimated heap bytes of this outline. */
  weight = FACTS_BYTES;

  /** The seq of the last entry; -1 before the first. */
  get seq(): number {
    return this.#state.seq;
  }

  /** The run has ended, so the outline never changes again. */
  get isOver(): boolean {
    return isFinal(this.#state.status);
  }

  /**
   * Takes in the next entry of the journal, from the append that begins at `append`.
   * @throws {NewerEntryError} when this version does not understand the entry
   */
  add(entry: JournalEntry, append: number): void {
    const state = this.#state;
    const light = lightEntry(entry);
    apply(state, light);
    if (entry.event === "execution.compensating") this.#giveUp();
    if (!isAboutStep(entry)) return;
    const frame = frameAt(state, entry.path);
    const node = frame?.nodes.get(entry.nodeId);
    const level = this.#levelOf(entry);
    if (frame && node && level) {
      const place = { seq: entry.seq, append };
      const step = this.#stepOf(level, entry.nodeId);
      const { status, attempt, waitsFor, awaits, until, child } = node;
      Object.assign(step, { status, attempt, waitsFor, awaits, until, childId: child?.id });
      this.#note(step, entry, place, level);
      if (entry.ends) this.#end(level, entry, place);
    }
    if (frame && entry.ends) endItem(state, frame, light as StepEntry);
  }

  /** The run has failed, so its unfinished steps are given up. */
  #giveUp(): void {
    for (const step of this.root.steps.values()) if (isActive(step)) step.status = "cancelled";
  }

  /** The level that an entry belongs to. The first entry of an item begins its level. */
  #levelOf({ path = [], at }: StepEntry): Level | undefined {
    const last = path.at(-1);
    if (!last) return this.root;
    const around = levelAt(this.root, path.slice(0, -1));
    const step = around?.steps.get(last.nodeId);
    if (!around || !step?.map || last.index >= step.map.total) return undefined;
    const known = step.map.items.get(last.index);
    if (known) return known.level;
    this.weight += FACTS_BYTES;
    const item = addItem(around, step, step.map, last.nodeId, last.index);
    item.startedAt = at;
    return item.level;
  }

  #stepOf(level: Level, nodeId: string): StepFacts {
    const known = level.steps.get(nodeId);
    if (known) return known;
    this.weight += FACTS_BYTES;
    const step = newStep();
    level.steps.set(nodeId, step);
    return step;
  }

  #note(step: StepFacts, entry: StepEntry, place: JournalPosition, level: Level): void {
    switch (entry.event) {
      case "step.started":
        step.startedAt ??= entry.at;
        step.finishedAt = step.durationMs = null;
        step.handle = undefined;
        break;
      case "step.retrying":
      case "step.failed":
        step.error = entry.error ? shortError(entry.error) : null;
        step.durationMs = entry.durationMs ?? null;
        if (entry.event === "step.failed") this.#settle(step, entry, place, level);
        break;
      case "step.completed":
        step.error = null;
        step.durationMs = entry.durationMs ?? null;
        this.#settle(step, entry, place, level);
        break;
      case "step.skipped":
        step.finishedAt = entry.at;
        break;
      case "step.log":
        this.#noteLog(step, entry, place, level);
        break;
    }
  }

  #noteLog(step: StepFacts, entry: StepEntry, place: JournalPosition, level: Level): void {
    const { items, kept = [], record, formerRecords, output, answers, nodeId = "", round } = entry;
    if (round !== undefined) this.#noteRound(step, level, place, { ...entry, nodeId, round });
    if (items) {
      const map = (step.map = { total: items.length, items: new Map(), completed: 0, failed: 0, place });
      for (const [index, value] of kept) {
        const item = addItem(level, step, map, nodeId, index);
        this.weight += FACTS_BYTES + this.#preview(item, value ?? null, MAX_PREVIEW.inside);
        item.ended = true;
        map.completed++;
      }
    }
    if (!record && !formerRecords) return;
    const records = formerRecords ?? [{ output, ...(answers !== undefined && { answers }) }];
    const turns = (step.turns ??= []);
    for (const one of records) addRecord(turns, one, entry.at);
    this.weight += FACTS_BYTES * records.length;
  }

  /** Notes that a round begins, or that the loop waits for it. A retry begins at the round that it keeps. */
  #noteRound(
    step: StepFacts,
    level: Level,
    place: JournalPosition,
    entry: StepEntry & { nodeId: string; round: number },
  ): void {
    const { nodeId, round } = entry;
    const known = step.map?.items.get(round);
    if (known) {
      known.startedAt = entry.at;
      return;
    }
    const map: MapFacts = (step.map ??= {
      ...{ total: 0, items: new Map<number, ItemFacts>(), completed: 0, failed: 0, place },
      isLoop: true,
    });
    this.#endLast(map);
    for (let index = map.total; index < round; index++) this.#endBare(addItem(level, step, map, nodeId, index), map);
    const item = addItem(level, step, map, nodeId, round);
    this.weight += FACTS_BYTES;
    item.carry = place;
    item.startedAt = entry.at;
    map.total = round + 1;
  }

  /** Ends the last round of a loop if it has no steps. */
  #endLast(map: MapFacts): void {
    const last = map.items.get(map.total - 1);
    if (last && !last.ended) this.#endBare(last, map);
  }

  /** Ends a round without steps. */
  #endBare(item: ItemFacts, map: MapFacts): void {
    this.weight += FACTS_BYTES;
    item.ended = true;
    map.completed++;
  }

  #settle(step: StepFacts, entry: StepEntry, place: JournalPosition, level: Level): void {
    step.finishedAt = entry.at;
    step.place = place;
    step.handle = entry.handle ?? null;
    if (step.map?.isLoop && entry.event === "step.completed") this.#endLast(step.map);
    const max = level.parent ? MAX_PREVIEW.inside : MAX_PREVIEW.run;
    if (entry.output !== undefined) this.weight += this.#preview(step, entry.output, max);
    if (entry.event === "step.failed") markFailed(level);
  }

  #end({ item, parent }: Level, entry: StepEntry, place: JournalPosition): void {
    if (!item || !parent || item.ended) return;
    const output = ("itemOutput" in entry ? entry.itemOutput : entry.output) ?? null;
    item.ended = true;
    item.finishedAt = entry.at;
    item.place = place;
    this.weight += this.#preview(item, output, MAX_PREVIEW.inside);
    if (!item.failed) parent.map.completed++;
  }

  /** Stores the size and the beginning of an output. Returns the length of that beginning. */
  #preview(facts: Output, output: unknown, max: number): number {
    const text = JSON.stringify(output);
    const large = largeOf(output);
    facts.outputBytes = large?.size ?? Buffer.byteLength(text);
    facts.digest = hashText(large?.sha256 ?? text);
    // A slice would keep the whole text in memory. A copy does not.
    facts.preview = text.length <= max ? text : Buffer.from(clip(text, max)).toString();
    return facts.preview.length;
  }
}

/** Marks the items around a step that has failed. */
function markFailed(level: Level): void {
  for (let at: Level | undefined = level; at?.item && at.parent; at = at.parent.level) {
    if (at.item.failed) return;
    at.item.failed = true;
    at.parent.map.failed++;
    if (at.item.ended) at.parent.map.completed--;
  }
}
