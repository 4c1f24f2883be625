import type { ClientSession } from "mongodb";
import { findIn } from "../../adapters/store/mongo/reads.ts";
import type { DocumentModel } from "../../adapters/store/mongo/model.ts";
import type { Store } from "../../adapters/store/port.ts";
import { ExecutionJournal } from "../../services/executions/store/journal.ts";
import { Journal } from "../../services/executions/store/model.ts";

// A page of a store can take long to parse and to work on. Other requests go on meanwhile.

/** How many turns of the event loop pass while this works. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

const spend = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until;);
};

test("a page of a journal that takes long to work on gives turns", async () => {
  const items = Array.from({ length: 8 }, (_, seq) => ({ id: `a:${seq}`, seq, entries: [] }));
  const store = { tenant: () => ({ find: () => Promise.resolve({ items, next: null }) }) } as unknown as Store;
  const read: number[] = [];
  const turns = await turnsDuring(async () => {
    for await (const { seq } of new ExecutionJournal(store, "w", "a").appendsFrom(0)) {
      spend(12);
      read.push(seq);
    }
  });
  expect(read).toEqual(items.map(({ seq }) => seq));
  expect(turns).toBeGreaterThanOrEqual(8);
});

test("a page of MongoDB with much free-form JSON gives turns", async () => {
  const entries = JSON.stringify(Array.from({ length: 150_000 }, (_, seq) => ({ seq, event: "step.log" })));
  const stored = Array.from({ length: 4 }, (_, seq) => ({ _id: `a:${seq}`, seq, entries }));
  const collection = { find: () => ({ toArray: () => Promise.resolve(stored) }) };
  const asked = { where: { op: "and", of: [] }, sort: [], limit: 4 } as const;
  let found: Record<string, unknown>[] = [];
  const turns = await turnsDuring(async () => {
    const documents = collection as unknown as DocumentModel["collection"];
    found = await findIn(documents, Journal.layout, asked, {} as ClientSession);
  });
  expect(found.map(({ id }) => id)).toEqual(stored.map(({ _id }) => _id));
  expect(found[3]?.entries).toHaveLength(150_000);
  expect(turns).toBeGreaterThanOrEqual(4);
});
