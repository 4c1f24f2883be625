import type { LogEntry } from "../../contracts/entities/execution.ts";
import { type Api, type Json, runToEnd } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { openStream } from "../support/event-stream.ts";
import type { Ledger } from "../support/ledger.ts";
import { expectProblem, faultsOf } from "../support/problem.ts";
import { openStage } from "../support/stage.ts";

let api: Api;
let space: string;
let ledger: Ledger;
let run: string;
let whole: LogEntry[];

const list = async (query: string): Promise<LogEntry[]> => {
  const { status, body } = await api.get(`${run}/logs?limit=200&${query}`);
  expect(status).toBe(200);
  return body as LogEntry[];
};
const seqs = (entries: LogEntry[]) => entries.map(({ seq }) => seq);
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));

beforeAll(async () => {
  ({ api, space, ledger } = await openStage());
  const what = definition(
    [
      node("call", "http", { method: "POST", url: `${ledger.url}/call`, body: { ä: "x".repeat(3_000) } }),
      node("each", "map", { items: [1, 2], concurrency: 1 }),
      node("code", "code", { code: "console.warn('Mind the Gap'); return input" }, { parentId: "each" }),
      node("fails", "transform", { value: "{{ $error('broken') }}" }, { policy: { onError: "continue" } }),
      gives("last", 1),
    ],
    "call > each",
    "each > fails",
    "fails > last",
  );
  const ended = await runToEnd(api, space, what);
  expect(ended.status).toBe("completed");
  run = `${space}/executions/${ended.id}`;
  whole = await list("");
});
afterAll(() => ledger.close());

test("shows the sizes of payloads if they are left out", async () => {
  const light = await list("payloads=false");
  expect(seqs(light)).toEqual(seqs(whole));
  whole.forEach((entry, i) => {
    const { input, output, error, ...facts } = entry;
    const bytes = (value: unknown) => (value === undefined ? undefined : Buffer.byteLength(JSON.stringify(value)));
    expect(light[i]).toEqual({
      ...facts,
      ...(input !== undefined && { inputBytes: bytes(input) }),
      ...(output !== undefined && { outputBytes: bytes(output) }),
      ...(error && { error: { code: error.code, message: error.message, nodeId: error.nodeId } }),
    });
  });
  expect(
    light.find(({ nodeId, event }) => nodeId === "call" && event === "step.completed")!.inputBytes,
  ).toBeGreaterThan(10);
});

test("returns an entry by its number, as an immutable resource", async () => {
  for (const entry of [whole[0]!, whole.at(-1)!, whole[3]!]) {
    const { status, body, headers } = await api.get(`${run}/logs/${entry.seq}`);
    expect([status, body]).toEqual([200, entry]);
    expect(headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
  }
  for (const seq of [0, whole.length + 1, 999_999_999_999_999, "x", -1])
    expectProblem(await api.get(`${run}/logs/${seq}`), 404, "not_found");
});

test("returns the newest entries first on request, page by page", async () => {
  const found: number[] = [];
  for (let path: string | undefined = `${run}/logs?order=desc&limit=3`; path;) {
    const { body, headers } = await api.get(path);
    found.push(...seqs(body as LogEntry[]));
    path = /<([^>]+)>/.exec(headers.get("link") ?? "")?.[1];
  }
  expect(found).toEqual(seqs(whole).toReversed());
  expect(seqs(await list("order=desc&after=5"))).toEqual(
    seqs(whole)
      .filter(seq => seq > 5)
      .toReversed(),
  );
});

test.each([
  ["a step", "nodeId=call", (entry: LogEntry) => entry.nodeId === "call"],
  ["an item", `path=${json([{ nodeId: "each", index: 1 }])}`, (entry: LogEntry) => entry.path?.[0]?.index === 1],
  ["what is outside of maps", "path=[]&nodeId=each", (entry: LogEntry) => entry.nodeId === "each"],
  ["levels", "level=warn,error", (entry: LogEntry) => entry.level !== "info"],
  ["one level", "level=warn", (entry: LogEntry) => entry.level === "warn"],
  ["events", "event=step.failed,execution.started", ({ event }: LogEntry) => /failed|n\.started/.test(event)],
  ["a text, in any case", "q=mind%20the%20gap", ({ message }: LogEntry) => message.includes("Mind the Gap")],
])("finds entries by %s", async (_, query, wanted) => {
  const expected = seqs(whole.filter(wanted));
  expect(expected.length).toBeGreaterThan(0);
  expect(seqs(await list(query))).toEqual(expected);
  expect(seqs(await list(`${query}&order=desc`))).toEqual(expected.toReversed());
  expect(seqs(await list(`${query}&after=${expected[0]}`))).toEqual(expected.slice(1));
});

test.each([
  "payloads=maybe",
  "level=loud",
  "event=step.gone",
  "order=up",
  "q=",
  `path=${json([{ nodeId: "a" }])}`,
  `path=${json({})}`,
])("rejects %s", async query => expectProblem(await api.get(`${run}/logs?${query}`), 400, "validation_failed"));

test("leaves payloads out of the event stream on request", async () => {
  const stream = await openStream(`${api.url}${run}/events?payloads=false`, { token: api.token });
  const events: Json[] = [];
  for (let event = await stream.next(); event; event = await stream.next()) events.push(JSON.parse(event.data));
  expect(events).toEqual(await list("payloads=false"));
  for (const [query, field] of [
    ["payloads=1", "payloads"],
    ["other=1", "other"],
  ]) {
    const refused = await api.get(`${run}/events?${query}`);
    expectProblem(refused, 400, "validation_failed");
    expect(faultsOf(refused)).toEqual([`/${field}`]);
  }
});
