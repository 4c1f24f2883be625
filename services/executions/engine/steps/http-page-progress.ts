import { config } from "../../../../config.ts";
import type { NextPage, Page } from "../../../../core/run/pages.ts";
import { type LargeValue, largeOf } from "../../../../core/run/references.ts";
import { MAX_OUTPUT_CHARS } from "../../../../core/run/step-limits.ts";
import type { Recorded, StepContext } from "./step.ts";

/** Items up to this length are stored in the record of their page, longer ones in the file store. */
const INLINE_CHARS = 16_384;
/** Beyond these limits, one record replaces all earlier ones, so that a step with many pages keeps few records. */
const MAX_RECORDS = 500;
const MAX_RECORD_CHARS = 262_144;

/** A finished page, in the form of its record. */
interface PageRecord extends Omit<Page, "items"> {
  items: unknown[] | LargeValue;
  /**
   * Set if this record replaces the earlier ones: the items of the earlier pages. `items` then contains only the items
   * since the last of these.
   */
  before?: LargeValue[];
}

export type FoundPage = Omit<Page, "page">;

/** The items of a finished page are missing in the store. */
export class LostItemsError extends Error {}

/** The finished pages of a step, their items, and their records. */
export class PageProgress {
  readonly items: unknown[] = [];
  pages = 0;
  status = 0;
  next: NextPage | null | undefined;
  readonly #context: StepContext;
  /** The length of all items as JSON, in bytes. */
  #bytes = 0;
  /** Items that a record has combined. */
  #before: LargeValue[] = [];
  /** The number of items in `#before`. */
  #settled = 0;
  #records = 0;
  #recordChars = 0;

  private constructor(context: StepContext) {
    this.#context = context;
  }

  /**
   * Restores the pages that were finished when the step was interrupted, failed or was retried.
   * @throws {LostItemsError} when items no longer exist
   * @throws {AppError} unavailable
   */
  static async from(context: StepContext): Promise<PageProgress> {
    const progress = new PageProgress(context);
    const { doc, parts } = context;
    for (const { output } of context.records) {
      const record = output as PageRecord;
      const whole = (await parts.values.whole(doc.workspaceId, record)) as { items: unknown; before?: unknown[] };
      const lists = record.before ? [...(whole.before ?? []), whole.items] : [whole.items];
      if (!lists.every(Array.isArray)) throw new LostItemsError();
      if (record.before) progress.#replaceBy(record);
      progress.#add(lists.flat(1), record);
      if (record.before) progress.#settle(record.items as LargeValue);
    }
    return progress;
  }

  /** The limit for the items of all pages together, in bytes of JSON. A test of a step stores nothing. */
  get maxBytes(): number {
    return this.#context.dry ? MAX_OUTPUT_CHARS : config().MAX_OUTPUT_BYTES;
  }

  hasRoomFor(items: readonly unknown[]): boolean {
    return this.#bytes + Buffer.byteLength(JSON.stringify(items)) <= this.maxBytes;
  }

  /** Records a page. The record is stored when the promise resolves. */
  async finish(page: FoundPage): Promise<void> {
    const items = this.#context.secrets.mask(page.items);
    const number = this.pages + 1;
    const message = `Page ${number}: ${items.length} items.`;
    const about = { page: number, status: page.status, next: page.next };
    const recorded = await this.#recordOf(about, items);
    await this.#context.record({ message, ...recorded });
    this.#add(items, page);
    if (recorded.replaces) this.#settle(recorded.output.items as LargeValue);
  }

  async #recordOf(
    about: Omit<PageRecord, "items">,
    items: unknown[],
  ): Promise<Pick<Recorded, "replaces"> & { output: PageRecord }> {
    const { doc, dry, parts } = this.#context;
    if (dry) return { output: { ...about, items } };
    if (this.#records >= MAX_RECORDS || this.#recordChars >= MAX_RECORD_CHARS) {
      const since = this.items.slice(this.#settled);
      const all = await parts.values.store(doc, since.concat(items));
      return { output: { ...about, items: all, before: this.#before }, replaces: true };
    }
    const isLong = JSON.stringify(items).length > INLINE_CHARS;
    return { output: { ...about, items: isLong ? await parts.values.store(doc, items) : items } };
  }

  #add(items: readonly unknown[], { status, next }: Pick<Page, "status" | "next">): void {
    this.pages++;
    // Not a spread: a page may have more items than a call can have arguments.
    for (const item of items) this.items.push(item);
    const json = JSON.stringify(items);
    this.#bytes += Buffer.byteLength(json);
    this.#records++;
    this.#recordChars += json.length > INLINE_CHARS ? 0 : json.length;
    this.status = status;
    this.next = next;
  }

  /** Takes over a record that contains everything from the earlier ones. */
  #replaceBy({ page, before = [] }: PageRecord): void {
    this.items.length = 0;
    this.#bytes = 0;
    this.pages = page - 1;
    this.#before = [...before];
  }

  #settle(all: LargeValue): void {
    if (!largeOf(all)) return;
    this.#before = [...this.#before, all];
    this.#settled = this.items.length;
    this.#records = 0;
    this.#recordChars = 0;
  }
}
