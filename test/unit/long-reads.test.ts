import { rm } from "node:fs/promises";
import type { ClientSession } from "mongodb";
import { checkDocument } from "../../adapters/store/document.ts";
import { checkFilter } from "../../adapters/store/filter.ts";
import type { DocumentModel } from "../../adapters/store/mongo/model.ts";
import { findIn } from "../../adapters/store/mongo/reads.ts";
import { checkSort } from "../../adapters/store/sort.ts";
import { SqliteDriver } from "../../adapters/store/sqlite/sqlite-driver.ts";
import type { Store } from "../../adapters/store/port.ts";
import { ExecutionJournal } from "../../services/executions/store/journal.ts";
import { Journal } from "../../services/executions/store/model.ts";
import { temporaryFolder } from "../support/server.ts";
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

test("an append of many entries gives turns while they become text", async () => {
  const entries = SEQS.map(seq => ({ seq, event: "step.log", at: "2026-01-01T00:00:00.000Z", nodeId: "a" }) as const);
  const insert = (doc: object) => doc;
  const store = { tenant: () => ({ ops: { insert } }) } as unknown as Store;
  const appending = new ExecutionJournal(store, "w", "a").appends(entries);
  expect(await turnsDuring(appending)).toBeGreaterThanOrEqual(SEQS.length);
  expect(await appending).toMatchObject([{ seq: 0, entries }]);
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

describe("the embedded store", () => {
  let dataDir: string;
  let driver: SqliteDriver;
  beforeEach(async () => {
    dataDir = await temporaryFolder();
    driver = await SqliteDriver.open({ dataDir, sync: "normal" });
    await driver.register([Journal.layout]);
    const docs = SEQS.map(seq => {
      const doc = { id: `a:${seq}`, workspaceId: "w", executionId: "a", seq, entries: [] };
      return checkDocument(Journal.layout, doc);
    });
    await driver.write([{ kind: "insert", layout: Journal.layout, docs }]);
  });
  afterEach(async () => {
    await driver.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const all = checkFilter(Journal.layout, {});
  const sort = checkSort(Journal.layout, { id: 1 });

  it("gives turns while it parses a page with much free-form JSON", async () => {
    const reading = driver.find(Journal.layout, all, sort, SEQS.length);
    expect(await turnsDuring(reading)).toBeGreaterThanOrEqual(SEQS.length);
    expect((await reading).map(({ seq }) => seq)).toEqual(SEQS);
  });
});
