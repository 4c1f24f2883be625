import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WordMirror } from "../../adapters/search/word-mirror.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import { idsOf } from "./bench.ts";

const dataDir = mkdtempSync(join(tmpdir(), "weft-words-"));
const lost: unknown[] = [];
let store: Store;
let words: WordMirror;
beforeAll(async () => {
  store = await openStore({ dataDir, sync: "normal" });
  words = await WordMirror.open(store, error => lost.push(error));
});
afterAll(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test("concurrent writes of one entry store its words once, and none fails", async () => {
  const index = words.tenant("memory", randomUUID());
  const put = (n: number) => index.put([1, 2, 1].map(id => ({ id: `${id}`, text: `tea ${n}` })));
  await Promise.all(Array.from({ length: 4 }, (_, n) => put(n)));
  expect(idsOf(await index.search({ text: "tea", limit: 9 })).sort()).toEqual(["1", "2"]);
});

test("a failure to mirror words after a document's write is logged and does not fail the write", async () => {
  const dir = join(dataDir, "closed");
  const other = await openStore({ dataDir: dir, sync: "normal" });
  const index = (await WordMirror.open(other, error => lost.push(error))).tenant("memory", randomUUID());
  await other.close();
  await store.write([...index.ops.put({ id: "a", text: "tea" }), ...index.ops.remove("b")]);
  expect(lost).toHaveLength(2);
  expect(() => index.ops.put({ id: "", text: "tea" })).toThrow(/an id/);
});
