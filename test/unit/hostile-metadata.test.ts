import { EmbeddedIndex } from "../../adapters/search/embedded/embedded-index.ts";
import { putStatements } from "../../adapters/search/embedded/statements.ts";
import { indexEntriesOf, passagesAtOnce } from "../../core/knowledge/index-entries.ts";
import { tagsOf } from "../../core/search/payload.ts";
import { secondsOf, SOON_S } from "../support/processor-time.ts";

const ID = "0190a000-0000-7000-8000-000000000000";
/** As many values as filters can use: 28 KB, and so within the limit of metadata. */
const metadata = Object.fromEntries(
  Array.from({ length: 48 }, (_, key) => [
    `k${key}`,
    Array.from({ length: 100 }, (_, at) => (key * 100 + at).toString(36)),
  ]),
);
const content = `${"x".repeat(600)}\n\n`.repeat(800).slice(0, 500_000);
const passages = (given: Record<string, unknown>) =>
  indexEntriesOf({ id: ID, knowledgeBaseId: ID, content, metadata: given });

it("the values of an entry are prepared once for all of its passages", () => {
  const all = passages(metadata);
  expect(all).toHaveLength(800);
  // Each passage for itself took 50 seconds.
  const seconds = secondsOf(() => {
    for (const entry of all) putStatements("knowledge", ID, { ...entry, vector: null });
  });
  expect(seconds).toBeLessThan(SOON_S);
  const [first, second] = all;
  expect(tagsOf(second!.payload)).toHaveLength(48 * 100 + 5);
  expect(tagsOf(first!.payload)).toEqual(tagsOf(structuredClone(first!.payload)));
});

it("fewer passages are indexed together when each has many values", () => {
  expect(passagesAtOnce(passages({}))).toBe(500);
  expect(passagesAtOnce(passages(metadata))).toBe(5);
  expect(passagesAtOnce([])).toBe(500);
});

it("the index lets other work go first when the next entries take long", async () => {
  const writes: number[] = [];
  const write = (statements: readonly unknown[]) => Promise.resolve(writes.push(statements.length));
  const file = {
    path: "",
    write,
    op: () => ({ kind: "index" as const, statements: [] }),
    close: () => Promise.resolve(),
  };
  const index = new EmbeddedIndex(file, 0).tenant("knowledge", ID);
  const entries = passages({}).slice(0, 40);
  await index.put(entries);
  const quick = writes.splice(0).length;
  let time = 0;
  const clock = jest.spyOn(performance, "now").mockImplementation(() => (time += 11));
  try {
    await index.put(entries);
  } finally {
    clock.mockRestore();
  }
  expect(quick).toBeLessThan(40);
  expect(writes).toHaveLength(40);
});
