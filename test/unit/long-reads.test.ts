import type { ClientSession } from "mongodb";
import type { DocumentModel } from "../../adapters/store/mongo/model.ts";
import { findIn } from "../../adapters/store/mongo/reads.ts";
import type { Store } from "../../adapters/store/port.ts";
import { ExecutionJournal } from "../../services/executions/store/journal.ts";
import { Journal } from "../../services/executions/store/model.ts";
import { hurrying, turnsDuring } from "../support/turns.ts";

// A page of a store can take long to parse and to work on. Other requests go on meanwhile.

beforeEach(() => void jest.spyOn(performance, "now").mockImplementation(hurrying()));
afterEach(() => void jest.restoreAllMocks());

const SEQS = [0, 1, 2, 3, 4, 5, 6, 7];

test("a page of a journal that takes long to work on gives turns", async () => {
  const items = SEQS.map(seq => ({ id: `a:${seq}`, seq, entries: [] }));
  const store = { tenant: () => ({ find: () => Promise.resolve({ items, next: null }) }) } as unknown as Store;
  const read: number[] = [];
  const reading = async () => {
    for await (const { seq } of new ExecutionJournal(store, "w", "a").appendsFrom(0)) read.push(seq);
  };
  expect(await turnsDuring(reading())).toBeGreaterThanOrEqual(SEQS.length);
  expect(read).toEqual(SEQS);
});

test("a page of MongoDB with much free-form JSON gives turns", async () => {
  const stored = SEQS.map(seq => ({ _id: `a:${seq}`, seq, entries: "[]" }));
  const collection = { find: () => ({ toArray: () => Promise.resolve(stored) }) };
  const asked = { where: { op: "and", of: [] }, sort: [], limit: SEQS.length } as const;
  const documents = collection as unknown as DocumentModel["collection"];
  const reading = findIn(documents, Journal.layout, asked, {} as ClientSession);
  expect(await turnsDuring(reading)).toBeGreaterThanOrEqual(SEQS.length);
  expect(await reading).toEqual(SEQS.map(seq => ({ id: `a:${seq}`, seq, entries: [] })));
});
