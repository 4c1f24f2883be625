import type { Page, Store, WriteOp } from "../../../adapters/store/port.ts";
import { TimeSlices } from "../../../adapters/time-slices.ts";
import { FINAL_EVENTS } from "../../../contracts/entities/execution.ts";
import type { CreatedEntry, JournalEntry, StepEntry } from "../../../core/run/entry.ts";
import { fold } from "../../../core/run/fold.ts";
import { emptyState, type RunState } from "../../../core/run/state.ts";
import { Journal, journalId, journalRange, type JournalDoc } from "./model.ts";

/**
 * An append of this many entries, or of about this size, continues in another document, because stores limit the size
 * of a document.
 */
const MAX_ENTRIES = 500;
const MAX_CHARS = 4_000_000;
const PAGE = 200;
/** The largest seq that fits into the ids of the journal. */
const MAX_SEQ = 999_999_999;
/**
 * A read of the log ends when its entries reach this total size. The first read takes few appends, because those beyond
 * the limit would be read in vain. Later reads take more, because most appends are small.
 */
const READ_CHARS = 1_000_000;
const READ_DOCS = { first: 2, most: 20 };

/** The journal of one execution. */
export class ExecutionJournal {
  private readonly store: Store;
  private readonly workspaceId: string;
  readonly executionId: string;

  constructor(store: Store, workspaceId: string, executionId: string) {
    this.store = store;
    this.workspaceId = workspaceId;
    this.executionId = executionId;
  }

  private get docs() {
    return this.store.tenant(Journal, this.workspaceId);
  }

  /**
   * The write that ends the journal with a cancellation. It fails with UniqueConflictError if another writer appended
   * first.
   */
  cancels(entry: StepEntry, cancelId: string): WriteOp {
    const { workspaceId, executionId } = this;
    const { seq } = entry;
    const id = journalId(executionId, seq);
    return this.docs.ops.insert({ id, workspaceId, executionId, seq, entries: [entry], cancelId });
  }

  /** The write that appends these entries in one document. It fails with UniqueConflictError if another writer appended first. */
  append(first: JournalEntry, ...others: JournalEntry[]): WriteOp {
    const { workspaceId, executionId } = this;
    const { seq } = first;
    const entries = [first, ...others];
    return this.docs.ops.insert({ id: journalId(executionId, seq), workspaceId, executionId, seq, entries });
  }

  /**
   * The writes that append these entries. They fail with UniqueConflictError if another writer appended first. Entries
   * can have many megabytes, so other work gets turns while they become text.
   */
  async appends(entries: readonly JournalEntry[]): Promise<WriteOp[]> {
    const turns = new TimeSlices();
    const ops: WriteOp[] = [];
    let chunk: JournalEntry[] = [];
    let chars = 0;
    const close = () => {
      const [first, ...others] = chunk;
      if (first) ops.push(this.append(first, ...others));
      chunk = [];
      chars = 0;
    };
    const many = entries.length > 16;
    for (const entry of entries) {
      const size = many ? JSON.stringify(entry).length : 0;
      if (chunk.length >= MAX_ENTRIES || (chunk.length > 0 && chars + size > MAX_CHARS)) close();
      chunk.push(entry);
      chars += size;
      const turn = turns.next();
      if (turn) await turn;
    }
    close();
    return ops;
  }

  /** Reads the whole journal, and computes the state from it. */
  async fold(): Promise<RunState> {
    const state = emptyState();
    for await (const { entries } of this.appendsFrom(0)) fold(entries, state);
    return state;
  }

  /**
   * The appends from the seq `from` on. Other work gets turns while they are read, and while the caller works on them. A
   * page can hold tens of thousands of entries.
   */
  async *appendsFrom(from: number): AsyncGenerator<JournalDoc, void, undefined> {
    const range = { id: journalRange(this.executionId, from) };
    const turns = new TimeSlices();
    for (let after: string | null = null; ;) {
      const page: Page<JournalDoc> = await this.docs.find(range, { sort: { id: 1 }, limit: PAGE, after });
      for (const doc of page.items) {
        yield doc;
        await turns.next();
      }
      after = page.next;
      if (!after) return;
    }
  }

  /** The entry with this seq, in the append that begins at `append`. */
  async entry(seq: number, append: number): Promise<JournalEntry | undefined> {
    const doc = await this.docs.get({ id: journalId(this.executionId, append) });
    return doc?.entries.find(entry => entry.seq === seq);
  }

  private get all() {
    return { id: journalRange(this.executionId) };
  }

  async last(): Promise<JournalEntry | null> {
    return (await this.lastAppend())?.entries.at(-1) ?? null;
  }

  async lastAppend(): Promise<JournalDoc | null> {
    const { items } = await this.docs.find(this.all, { sort: { id: -1 }, limit: 1 });
    return items[0] ?? null;
  }

  /** The entry that created the execution. */
  async created(): Promise<CreatedEntry | null> {
    const doc = await this.docs.get({ id: journalId(this.executionId, 0) });
    const [entry] = doc?.entries ?? [];
    return entry?.event === "execution.created" ? entry : null;
  }

  /** The entry of the log with this seq. */
  async entryAt(seq: number): Promise<StepEntry | undefined> {
    const { entries } = await this.readBack(seq + 1, 1);
    return entries[0]?.seq === seq ? entries[0] : undefined;
  }

  /** Up to `limit` entries of the log before the seq `before`, newest first, or fewer when they are large. */
  async readBack(before: number, limit: number): Promise<{ entries: StepEntry[]; more: boolean }> {
    const { executionId } = this;
    // Seqs in ids have a fixed number of digits.
    const bound = before <= MAX_SEQ ? { $lt: journalId(executionId, before) } : { $lt: journalRange(executionId).$lt };
    const range = { id: { $gte: journalId(executionId, 0), ...bound } };
    const entries: StepEntry[] = [];
    let left = READ_CHARS;
    let after: string | null = null;
    for (let docs = READ_DOCS.first; ; docs = Math.min(docs * 2, READ_DOCS.most)) {
      const page: Page<JournalDoc> = await this.docs.find(range, { sort: { id: -1 }, limit: docs, after });
      for (const entry of page.items.flatMap(doc => doc.entries.toReversed())) {
        if (entry.seq >= before || entry.seq < 1) continue;
        left -= JSON.stringify(entry).length;
        if (entries.length === limit || (entries.length > 0 && left < 0)) return { entries, more: true };
        entries.push(entry as StepEntry);
      }
      after = page.next;
      if (after === null) return { entries, more: false };
    }
  }

  /** Up to `limit` entries of the log after `after`, or fewer if they are large, and whether more follow. */
  async read(after: number, limit: number): Promise<{ entries: StepEntry[]; more: boolean }> {
    const { executionId } = this;
    // One append may hold entries on both sides of `after`, so the last append that begins before it is read too.
    const before = { id: { $gte: journalId(executionId, 0), $lte: journalId(executionId, after + 1) } };
    const holding = await this.docs.find(before, { sort: { id: -1 }, limit: 1 });
    const behind = { id: journalRange(executionId, (holding.items[0]?.seq ?? -1) + 1) };
    const entries: StepEntry[] = [];
    let left = READ_CHARS;
    let found = holding.items;
    let cursor: string | null = null;
    for (let docs = READ_DOCS.first; ; docs = Math.min(docs * 2, READ_DOCS.most)) {
      for (const entry of found.flatMap(doc => doc.entries)) {
        if (entry.seq <= Math.max(after, 0)) continue;
        left -= JSON.stringify(entry).length;
        if (entries.length === limit || (entries.length > 0 && left < 0)) return { entries, more: true };
        entries.push(entry as StepEntry);
      }
      if (found !== holding.items && cursor === null) return { entries, more: false };
      const page: Page<JournalDoc> = await this.docs.find(behind, { sort: { id: 1 }, limit: docs, after: cursor });
      found = page.items;
      cursor = page.next;
    }
  }
}

export const isEnd = (entry: JournalEntry | null): boolean => entry !== null && FINAL_EVENTS.has(entry.event);
