// Measures what storing and searching memories costs, with everything embedded in one process and the caller in
// another. It reports CPU time besides elapsed time, because other load on the machine affects it less.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { hashEmbedding } from "../core/embedding/hash-embedding.ts";
import { type Api, newWorkspace } from "../test/support/api.ts";
import { removeServer, startServer } from "../test/support/server.ts";
import { median, percentile } from "./statistics.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const PER_ROUND = Number(process.env.BENCH_COUNT ?? 100);
/** The length of the kernel clock tick in which CPU time is counted. */
const TICK_MS = 10;

const CITIES = ["Graz", "Lyon", "Oslo", "Porto", "Ghent", "Turin", "Lodz", "Bergen"];
const FOODS = ["plums", "noodles", "rye bread", "olives", "lentils", "dumplings", "figs"];

/** A paragraph of four facts. Some of them are newer values of known facts. */
function paragraph(n: number): string {
  const city = CITIES[n % CITIES.length];
  const food = FOODS[n % FOODS.length];
  return (
    `I moved to ${city} last spring and work as an engineer at Company ${n}. My sister lives in ${CITIES[(n * 3) % 8]}. ` +
    `I love ${food}, and I bought boat number ${n} in the harbour. Thanks, that is all for today!`
  );
}

/** The CPU time of all threads of a process, in milliseconds. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number) as [number, number];
  return (user + system) * TICK_MS;
}

function expectOk(answer: Awaited<ReturnType<Api["post"]>>, status: number): void {
  if (answer.status !== status) throw new Error(`It answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}

const server = await startServer({ env: { LOG_LEVEL: "warn" } });
try {
  const { api, workspaceId } = await newWorkspace(server.url);
  const memories = `/v1/workspaces/${workspaceId}/memories`;
  let count = 0;
  const work = {
    "ingest of a paragraph": async () =>
      expectOk(await api.post(`${memories}/ingest`, { content: paragraph(count++) }), 201),
    "one statement": async () => expectOk(await api.post(memories, { content: `Has boat ${count++}` }), 201),
    search: async () => expectOk(await api.post(`${memories}/search`, { query: `boat ${count++}` }), 200),
    "read of one's user": async () => expectOk(await api.get("/v1/auth/me"), 200),
  };

  const [cpu] = cpus();
  console.log(`${cpus().length} × ${cpu?.model ?? "?"}, Node ${process.version}, one process, one caller`);
  console.log(`Medians of ${ROUNDS} rounds of ${PER_ROUND}`);
  for (const [what, once] of Object.entries(work)) {
    for (let n = 0; n < PER_ROUND; n++) await once();
    const rounds: { p50: number; p95: number; cpu: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const times: number[] = [];
      const before = cpuMs(server.process.pid!);
      for (let n = 0; n < PER_ROUND; n++) {
        const began = performance.now();
        await once();
        times.push(performance.now() - began);
      }
      const used = (cpuMs(server.process.pid!) - before) / PER_ROUND;
      rounds.push({ p50: percentile(times, 50), p95: percentile(times, 95), cpu: used });
    }
    const of = (key: "p50" | "p95" | "cpu") => median(rounds.map(round => round[key])).toFixed(2);
    console.log(`${what.padEnd(24)} p50 ${of("p50")} ms  p95 ${of("p95")} ms  CPU ${of("cpu")} ms`);
  }
} finally {
  await removeServer(server);
}

const texts = Array.from({ length: 2_000 }, (_, n) => paragraph(n));
for (const text of texts) hashEmbedding(text);
const before = process.cpuUsage();
for (const text of texts) hashEmbedding(text);
const { user, system } = process.cpuUsage(before);
console.log(
  `built-in embeddings      ${((texts.length * 1e6) / (user + system)).toFixed(0)} paragraphs a second of CPU`,
);
