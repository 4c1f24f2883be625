import type { Search } from "../../adapters/search/port.ts";
import { benchOf, EMBEDDER, fill } from "./bench.ts";
import { describeEmbedders } from "./conformance-embedders.ts";
import { describeEntries } from "./conformance-entries.ts";
import { describeSearches } from "./conformance-searches.ts";

export interface Opened {
  search: Search;
  close: () => Promise<void>;
}

/** The search port's one suite, for either side. */
export function describeSearch(name: string, open: () => Promise<Opened>): void {
  describe(name, () => {
    let opened: Opened;
    let search: Search;
    beforeAll(async () => {
      opened = await open();
      search = opened.search;
      for (const kind of ["memory", "tool"] as const) {
        await search.useEmbedder(kind, EMBEDDER);
        await fill(search, kind);
      }
    });
    afterAll(async () => {
      await opened.close();
    });
    const bench = () => benchOf(search, "memory");

    describeEntries(bench);
    describeSearches(bench);
    // Of another kind: what it does with models would confuse the others.
    describeEmbedders(() => benchOf(search, "knowledge"));
    test("answers a ping", async () => {
      expect(["ok", "degraded"]).toContain(await search.ping());
    });
  });
}
