import { checkChange } from "./change.ts";
import { checkDocument, type CheckedDocument } from "./document.ts";
import type { Driver, WriteOp } from "./driver.ts";
import { InvalidDocumentError, InvalidFilterError, TenancyError } from "./errors.ts";
import { checkFilter, type Condition } from "./filter.ts";
import type { Layout } from "./layout.ts";
import type { Change, Collection, CollectionSpec, Doc, Filter, FindOptions, Page, Sort } from "./port.ts";
import { keyOf, type SharedReads } from "./shared-reads.ts";
import { behindCursor, checkSort, cursorAfter } from "./sort.ts";

const MAX_PAGE = 1000;
const MAX_BATCH = 10_000;

/**
 * Implements the collection's port on top of either driver. It validates arguments, keeps queries inside the workspace,
 * and leaves the rest to the driver.
 */
export class CheckedCollection<T extends Doc> implements Collection<T> {
  readonly ops: Collection<T>["ops"];
  readonly #driver: Driver;
  readonly #layout: Layout;
  readonly #workspaceId: string | null;
  readonly #shared: SharedReads;

  constructor(driver: Driver, shared: SharedReads, spec: CollectionSpec<T>, workspaceId: string | null) {
    this.#driver = driver;
    this.#shared = shared;
    this.#layout = spec.layout;
    this.#workspaceId = workspaceId;
    this.ops = {
      insert: (doc, passing) => (passing ? this.#insertPassing(doc, passing) : this.#insert([doc])),
      updateOne: (filter, change, options) => this.#update(filter, change, { ...options }),
      updateMany: (filter, change) => this.#update(filter, change, { many: true }),
      remove: (filter, options) => this.#remove(filter, options?.limit),
    };
  }

  async insert(doc: T): Promise<T> {
    const op = this.#insert([doc]);
    await this.#driver.write([op]);
    return this.#inserted(op.docs[0] as CheckedDocument, doc);
  }

  async insertMany(docs: readonly T[]): Promise<T[]> {
    if (docs.length > MAX_BATCH) throw new InvalidDocumentError(`at most ${MAX_BATCH} documents are inserted at once`);
    if (docs.length === 0) return [];
    const op = this.#insert(docs);
    await this.#driver.write([op]);
    return op.docs.map((checked, place) => this.#inserted(checked, docs[place] as T));
  }

  async get(filter: Filter<T>): Promise<T | null> {
    return (await this.#driver.get(this.#layout, this.#where(filter))) as T | null;
  }

  shared(filter: Filter<T>): Promise<T | null> {
    const key = keyOf(this.#workspaceId, filter);
    if (key === null) return this.get(filter);
    return this.#shared.get(this.#layout, key, () => this.#where(filter)) as Promise<T | null>;
  }

  async find(filter: Filter<T>, { sort, limit, after }: FindOptions<T>): Promise<Page<T>> {
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE)
      throw new InvalidFilterError(`limit is an integer from 1 to ${MAX_PAGE}`);
    const keys = checkSort(this.#layout, sort);
    const parts = [this.#where(filter)];
    if (after !== undefined && after !== null) parts.push(behindCursor(keys, after));
    const items = await this.#driver.find(this.#layout, { op: "and", of: parts }, keys, limit + 1);
    const more = items.length > limit;
    if (more) items.pop();
    const last = items.at(-1);
    return { items: items as unknown as T[], next: more && last ? cursorAfter(keys, last) : null };
  }

  async updateOne(filter: Filter<T>, change: Change<T>, options?: { sort?: Sort<T> }): Promise<T | null> {
    const [outcome] = await this.#driver.write([
      this.#update(filter, change, { sort: options?.sort, returning: true }),
    ]);
    return (outcome?.document as T | undefined) ?? null;
  }

  async updateMany(filter: Filter<T>, change: Change<T>): Promise<number> {
    return (await this.#driver.write([this.#update(filter, change, { many: true })]))[0]?.count ?? 0;
  }

  async remove(filter: Filter<T>, options?: { limit?: number }): Promise<number> {
    return (await this.#driver.write([this.#remove(filter, options?.limit)]))[0]?.count ?? 0;
  }

  async count(filter: Filter<T>, options?: { limit?: number }): Promise<number> {
    return this.#driver.count(this.#layout, this.#where(filter), checkLimit(options?.limit));
  }

  async tally(filter: Filter<T>, path: string, of?: string): Promise<Record<string, number>> {
    const kind = this.#layout.fields.get(path)?.kind;
    if (kind !== "string" && kind !== "number" && kind !== "boolean")
      throw new InvalidFilterError(`${path} is not a field to tally by`);
    if (of !== undefined && this.#layout.fields.get(of)?.kind !== "number")
      throw new InvalidFilterError(`${of} is not a number to add up`);
    return this.#driver.tally(this.#layout, this.#where(filter), path, of);
  }

  #where(filter: Filter<T>): Condition {
    const asked = checkFilter(this.#layout, filter);
    const workspaceId = this.#workspaceId;
    if (workspaceId === null) return asked;
    refuseOthers(asked, workspaceId);
    const field = this.#layout.fields.get("workspaceId");
    if (!field) throw new TenancyError(`${this.#layout.name} has no workspaceId`);
    return { op: "and", of: [{ op: "eq", field, value: workspaceId }, asked] };
  }

  #insert(docs: readonly T[]): WriteOp & { kind: "insert" } {
    return {
      kind: "insert",
      layout: this.#layout,
      docs: docs.map(doc => checkDocument(this.#layout, this.#owned(doc))),
    };
  }

  #insertPassing(doc: T, passing: Partial<T>): WriteOp {
    const own = this.#owned(doc);
    const fields = own as Readonly<Record<string, unknown>>;
    const valueOf = (path: string) => textOrNumber(path in passing ? passing : fields, path);
    const indexes = this.#layout.indexes.filter(({ unique, keys }) => unique && keys.some(([path]) => path in passing));
    const { kind, layout, docs } = this.#insert([own]);
    return {
      kind,
      layout,
      docs,
      passing: {
        taken: indexes.map(index => ({ index, values: index.keys.map(([path]) => valueOf(path)) })),
        held: () => checkDocument(layout, { ...own, ...passing }),
        release: () => {
          const gone = Object.fromEntries(Object.keys(passing).map(field => [field, 1])) as Change<T>["$unset"];
          return this.#update({ id: doc.id } as Filter<T>, { $unset: gone! }, { counted: false });
        },
      },
    };
  }

  #owned(doc: T): T {
    if (this.#workspaceId === null) return doc;
    const named = (doc as { workspaceId?: unknown }).workspaceId;
    if (named === this.#workspaceId) return doc;
    if (named !== undefined) throw new TenancyError(`a document of ${this.#layout.name} names another workspace`);
    return { ...doc, workspaceId: this.#workspaceId };
  }

  #update(
    filter: Filter<T>,
    change: Change<T>,
    options: { sort?: Sort<T> | undefined; many?: boolean; required?: boolean; returning?: boolean; counted?: boolean },
  ): WriteOp {
    return {
      kind: "update",
      layout: this.#layout,
      where: this.#where(filter),
      change: checkChange(this.#layout, change),
      sort: options.many ? [] : checkSort(this.#layout, options.sort),
      many: options.many === true,
      required: options.required === true,
      uncounted: options.counted === false,
      returning: options.returning === true,
    };
  }

  #remove(filter: Filter<T>, limit: number | undefined): WriteOp {
    return { kind: "remove", layout: this.#layout, where: this.#where(filter), limit: checkLimit(limit) };
  }

  /** Returns free-form values as the caller passed them. A copy would be expensive and is rarely needed. */
  #inserted(checked: CheckedDocument, given: T): T {
    const document = { ...checked.fields };
    for (const [field, text] of Object.entries(checked.json)) {
      const value = (given as unknown as Record<string, unknown>)[field];
      document[field] = value === undefined ? (JSON.parse(text) as unknown) : value;
    }
    return document as unknown as T;
  }
}

function textOrNumber(document: Readonly<Record<string, unknown>>, path: string): string | number {
  const value = document[path];
  if (typeof value === "string" || typeof value === "number") return value;
  throw new InvalidDocumentError(`${path} is compared by a unique index, so it has to be a text or a number`);
}

/** A filter that names another workspace is a mistake of the caller, so it fails instead of matching nothing. */
function refuseOthers(condition: Condition, workspaceId: string): void {
  if (condition.op === "and" || condition.op === "or") for (const part of condition.of) refuseOthers(part, workspaceId);
  else if (condition.field.path === "workspaceId" && !(condition.op === "eq" && condition.value === workspaceId))
    throw new TenancyError("a filter names another workspace");
}

function checkLimit(limit: number | undefined): number | null {
  if (limit === undefined) return null;
  if (!Number.isSafeInteger(limit) || limit < 1) throw new InvalidFilterError("limit is a positive integer");
  return limit;
}
