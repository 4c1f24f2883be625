import { CheckedCollection } from "./collection.ts";
import type { Driver, EmbeddedFile, StoreSpace, WriteOp } from "./driver.ts";
import { TenancyError } from "./errors.ts";
import type { Layout } from "./layout.ts";
import type { Collection, CollectionSpec, Doc, Store } from "./port.ts";
import { SharedReads } from "./shared-reads.ts";

/** Implements the store's port on top of either driver. */
export class CheckedStore implements Store {
  readonly #driver: Driver;
  readonly #shared: SharedReads;
  readonly #registered = new Map<Layout, Promise<void>>();

  constructor(driver: Driver) {
    this.#shared = new SharedReads(driver);
    this.#driver = this.#shared.watched();
  }

  async register(specs: readonly CollectionSpec[]): Promise<void> {
    await Promise.all(specs.map(({ layout }) => this.#registerOnce(layout)));
  }

  tenant<T extends Doc>(spec: CollectionSpec<T>, workspaceId: string): Collection<T> {
    if (!spec.tenant) throw new TenancyError(`${spec.name} belongs to no workspace`);
    if (typeof workspaceId !== "string" || workspaceId === "") throw new TenancyError(`${spec.name} needs a workspace`);
    return new CheckedCollection(this.#driver, this.#shared, spec, workspaceId);
  }

  global<T extends Doc>(spec: CollectionSpec<T>): Collection<T> {
    if (spec.tenant) throw new TenancyError(`${spec.name} is reached through a workspace`);
    return new CheckedCollection(this.#driver, this.#shared, spec, null);
  }

  acrossTenants<T extends Doc>(spec: CollectionSpec<T>): Collection<T> {
    if (!spec.tenant) throw new TenancyError(`${spec.name} belongs to no workspace`);
    return new CheckedCollection(this.#driver, this.#shared, spec, null);
  }

  async write(ops: readonly WriteOp[]): Promise<number[]> {
    const outcomes = await this.#driver.write(ops);
    for (const op of ops) if (op.kind === "index") await op.after?.();
    return outcomes.map(({ count }) => count);
  }

  get embedded(): EmbeddedFile | null {
    return this.#driver.embedded;
  }

  space(): Promise<StoreSpace> {
    return this.#driver.space();
  }

  ping(): Promise<void> {
    return this.#driver.ping();
  }

  close(): Promise<void> {
    return this.#driver.close();
  }

  #registerOnce(layout: Layout): Promise<void> {
    const known = this.#registered.get(layout);
    if (known) return known;
    const made = this.#driver.register([layout]);
    this.#registered.set(layout, made);
    // A failed registration may be tried again.
    made.catch(() => this.#registered.delete(layout));
    return made;
  }
}
