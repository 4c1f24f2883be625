// Measures the search index on this machine, either the embedded one or the one at QDRANT_URL: npm run bench:search [--
// entries dimensions]
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { dot, unit } from "../core/search/vectors.ts";
import { openSearch } from "../adapters/search/open-search.ts";
import type { Entry, SearchQuery, TenantIndex, Vector } from "../adapters/search/port.ts";
import { openStore } from "../adapters/store/open-store.ts";

const ENTRIES = Number(process.argv[2] ?? 100_000);
const DIMENSION = Number(process.argv[3] ?? 1024);
const QUESTIONS = 100;
const SMALL = 5_000;
const BATCH = 1000;
const TOPICS = 400;
const TARGET = { p50: 60, p99: 150, recall: 0.98, loop: 50 };

let seed = 1;
function random(): number {
  seed = (Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
  return (((seed ^ (seed >>> 13)) >>> 0) + 0.5) / 2 ** 32;
}
const normal = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
const noise = (): Float32Array => Float32Array.from({ length: DIMENSION }, normal);

/**
 * Random vectors without structure. This is the hardest case, because the nearest vectors are hardly nearer than the
 * rest.
 */
const shapeless = (): Float32Array => unit(noise()) as Float32Array;
const topics = Array.from({ length: TOPICS }, noise);
/** Vectors as embedding models produce them: topics, with differences inside each topic. */
function topical(): Float32Array {
  const topic = topics[Math.floor(random() * TOPICS)] as Float32Array;
  return unit(noise().map((value, place) => 0.6 * value + (topic[place] as number))) as Float32Array;
}

/** Some words are in nearly every text, most in few. */
const word = (): string => `word${Math.floor(20_000 ** random())}`;
const text = (words: number): string => Array.from({ length: words }, word).join(" ");

const quantile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;
const vectorOf = (values: Float32Array): Vector => ({ embedder: "bench", values });
const say = (name: string, value: string): void => console.log(`${name.padEnd(52)} ${value}`);

async function measure(name: string, index: TenantIndex, questions: SearchQuery[]): Promise<void> {
  const started = performance.now();
  await index.search(questions[0] as SearchQuery);
  const first = performance.now() - started;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const times: number[] = [];
  for (const question of questions) {
    const begun = performance.now();
    await index.search(question);
    times.push(performance.now() - begun);
  }
  delay.disable();
  const [p50, p99, loop] = [quantile(times, 0.5), quantile(times, 0.99), delay.max / 1e6];
  const met = p50 < TARGET.p50 && p99 < TARGET.p99 && loop < TARGET.loop ? "" : "  MISSED";
  say(
    name,
    `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, first ${first.toFixed(0)} ms, loop ${loop.toFixed(1)} ms${met}`,
  );
}

async function recall(index: TenantIndex, vectors: Float32Array[], questions: Float32Array[]): Promise<number> {
  let found = 0;
  for (const question of questions) {
    const cosines = vectors.map((vector, place) => [dot(vector, question), place] as const);
    const exact = new Set(
      cosines
        .sort(([a], [b]) => b - a)
        .slice(0, 10)
        .map(([, place]) => `e${place}`),
    );
    const { hits } = await index.search({ vector: vectorOf(question), limit: 10 });
    found += hits.filter(({ id }) => exact.has(id)).length;
  }
  return found / (questions.length * 10);
}

const dataDir = mkdtempSync(join(tmpdir(), "weft-bench-"));
const store = await openStore({ dataDir, sync: "normal" });
const { QDRANT_URL } = process.env;
// The benchmark uses its own collections and does not remove them.
const qdrantUrl = QDRANT_URL && `${new URL("?prefix=bench", QDRANT_URL).href}${Date.now().toString(36)}`;
const search = await openSearch({ store, dataDir, sync: "normal", qdrantUrl: qdrantUrl || undefined });
try {
  console.log(`${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`);
  console.log(`load ${loadavg()[0]?.toFixed(1)}; ${ENTRIES} entries of ${DIMENSION} dimensions in one workspace`);
  console.log(
    `targets: p50 < ${TARGET.p50} ms, p99 < ${TARGET.p99} ms, recall@10 >= ${TARGET.recall}, event loop < ${TARGET.loop} ms`,
  );
  await search.useEmbedder("knowledge", { id: "bench", dimension: DIMENSION });
  const making = await search.begun("knowledge");
  if (making !== null) await search.filled("knowledge", making);
  console.log(qdrantUrl ? "Qdrant" : "embedded");
  for (const [shape, make] of Object.entries({ topical, shapeless })) {
    const index = search.tenant("knowledge", shape);
    const vectors: Float32Array[] = [];
    const started = performance.now();
    while (vectors.length < ENTRIES) {
      const batch = Array.from({ length: Math.min(BATCH, ENTRIES - vectors.length) }, (): Entry => {
        const place = vectors.push(make()) - 1;
        const payload = { knowledgeBaseId: `k${place % 2}`, userId: `u${place % 50}`, scope: "user" };
        return { id: `e${place}`, text: text(40), payload, vector: vectorOf(vectors[place] as Float32Array) };
      });
      await index.put(batch);
    }
    say(`${shape}: entries put a second`, Math.round(ENTRIES / ((performance.now() - started) / 1000)).toString());
    const asked = Array.from({ length: QUESTIONS }, make);
    const each = (more: (n: number) => Partial<SearchQuery>): SearchQuery[] =>
      asked.map((values, n) => ({ vector: vectorOf(values), limit: 10, ...more(n) }));
    await measure(
      `${shape}: vectors`,
      index,
      each(() => ({})),
    );
    await measure(
      `${shape}: vectors and words`,
      index,
      each(() => ({ text: text(4) })),
    );
    await measure(
      `${shape}: words`,
      index,
      each(() => ({ vector: undefined, text: text(4), mode: "keyword" })),
    );
    await measure(
      `${shape}: vectors, a filter that half pass`,
      index,
      each(n => ({ filter: { knowledgeBaseId: `k${n % 2}` } })),
    );
    await measure(
      `${shape}: vectors, a filter that 2 % pass`,
      index,
      each(n => ({ filter: { userId: `u${n % 50}` } })),
    );
    const share = await recall(index, vectors, asked.slice(0, 50));
    say(`${shape}: recall@10`, `${share.toFixed(4)}${share >= TARGET.recall ? "" : "  MISSED"}`);
  }
  const small = search.tenant("knowledge", "small");
  for (let n = 0; n < SMALL; n += BATCH)
    await small.put(
      Array.from({ length: BATCH }, (_, i) => ({ id: `s${n + i}`, text: text(40), vector: vectorOf(topical()) })),
    );
  const asked = Array.from({ length: QUESTIONS }, () => ({ vector: vectorOf(topical()), text: text(4), limit: 10 }));
  await measure(`${SMALL} entries: vectors and words`, small, asked);
  say(
    "size of the file",
    `${Math.round((statSync(join(dataDir, "weft.db")).size + statSync(join(dataDir, "weft.db-wal")).size) / 1e6)} MB`,
  );
  say("load at the end", loadavg()[0]?.toFixed(1) ?? "");
} finally {
  await search.close();
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
}
