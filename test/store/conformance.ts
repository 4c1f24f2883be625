import { randomUUID } from "node:crypto";
import type { Store } from "../../adapters/store/port.ts";
import { describeChanges } from "./conformance-changes.ts";
import { describeFilters } from "./conformance-filters.ts";
import { describeLists } from "./conformance-lists.ts";
import { describeShared } from "./conformance-shared.ts";
import { describeTenancy } from "./conformance-tenancy.ts";
import { describeValues } from "./conformance-values.ts";
import { describeWrites } from "./conformance-writes.ts";
import { items, slots, type Bench } from "./collections.ts";

/** The store port's one suite, for either side. */
export function describeStore(name: string, open: () => Promise<Store>): void {
  describe(name, () => {
    let store: Store;
    beforeAll(async () => {
      store = await open();
      await store.register([items, slots]);
    });
    afterAll(async () => {
      await store.close();
    });
    const bench = (): Bench => {
      const workspaceId = randomUUID();
      return { store, workspaceId, items: store.tenant(items, workspaceId), slots: store.global(slots) };
    };

    describeValues(bench);
    describeFilters(bench);
    describeLists(bench);
    describeChanges(bench);
    describeWrites(bench);
    describeTenancy(bench);
    describeShared(bench);
    test("answers a ping", async () => {
      await expect(store.ping()).resolves.toBeUndefined();
    });
  });
}
