import { config } from "../../../../config.ts";
import type { NextPage, Page } from "../../../../core/run/pages.ts";
import { type LargeValue, largeOf } from "../../../../core/run/references.ts";
import { MAX_OUTPUT_CHARS } from "../../../../core/run/step-limits.ts";
import type { Recorded, StepContext } from "./step.ts";

/** Items up to this length are in the record of their page, longer ones in the store of files. */
const INLINE_CHARS = 16_384;
/** After this much one record replaces all before it, so that a step with many pages keeps few. */
const MAX_RECORDS = 500;
const MAX_RECORD_CHARS = 262_144;

/** A finished page, as a record keeps it. */
interface PageRecord extends Omit<Page, "items"> {
  items: unknown[] | LargeValue;
  /** The items of the pages before, where the record replaces theirs. `items` are then those since the last of these. */
  before?: LargeValue[];
}

export type FoundPage = Omit<Page, "page">;

/** The items of a finished page are no longer in the store. */
export class LostItemsError extends Error {}

/** The finished pages of a step, what they found, and their records. */
export class PageProgress {
  readonly items: unknown[] = [];
  pages = 0;
  status = 0;
  next: NextPage | null | undefined;
  readonly #context: StepContext;
  /** The length of all items as JSON, in bytes. */
  #bytes = 0;
  /** Items that a record has put together. */
  #before: LargeValue[] = [];
  /** The number of items in `#before`. */
  #settled = 0;
  #records = 0;
  #recordChars = 0;

  private constructor(context: StepContext) {
    this.#context = context;
  }

  /**
   * The pages that were finished when the step was cut off, failed or was retried.
   * @throws {LostItemsError} when items do not exist any more; {AppError} unavailable
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

  /** The most that the items of all pages may have together, in bytes of JSON. A test of a step stores nothing. */
  get maxBytes(): number {
    return this.#context.dry ? MAX_OUTPUT_CHARS : config().MAX_OUTPUT_BYTES;
  }

  hasRoomFor(items: readonly unknown[]): boolean {
    return this.#bytes + Buffer.byteLength(JSON.stringify(items)) <= this.maxBytes;
  }

  /** Records a page. It is on disk when the promise resolves. */
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
    // Not spread: a page may have more items than a call takes arguments.
    for (const item of items) this.items.push(item);
    const json = JSON.stringify(items);
    this.#bytes += Buffer.byteLength(json);
    this.#records++;
    this.#recordChars += json.length > INLINE_CHARS ? 0 : json.length;
    this.status = status;
    this.next = next;
  }

  /** Takes over a record that holds what all before it held. */
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
