import { type Api, type Json, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { start } from "../support/executions.ts";
import { readLog, untilEnd } from "../support/follow.ts";
import { freePort } from "../support/free-port.ts";
import { Gate, Ledger, type Reply } from "../support/ledger.ts";
import { removeServer, restarted, type Server, startServer, temporaryFolder } from "../support/server.ts";

const env = { WORKER_LEASE_MS: "500", OUTBOUND_ALLOW: "127.0.0.1" };

let ledger: Ledger;
let server: Server;
let api: Api;
let space: string;
beforeAll(async () => {
  ledger = await Ledger.open();
  server = await startServer({ env, dataDir: await temporaryFolder(), port: await freePort() });
  ({ api, space } = await newWorkspace(server.url));
});
afterAll(async () => {
  await removeServer(server);
  await ledger.close();
});

const pageOf = (path: string) => Number(new URL(path, ledger.url).searchParams.get("page") ?? 1);
/** Three items a page, numbered through all pages. */
const itemsOn = (page: number) => [0, 1, 2].map(i => ({ n: (page - 1) * 3 + i }));
const numbers = (pages: number) => Array.from({ length: pages * 3 }, (_, n) => ({ n }));
const linked = (page: number, pages: number): Reply => ({
  body: { items: itemsOn(page) },
  headers: page < pages ? { link: `</all?page=${page - 1}>; rel="prev", <?page=${page + 1}>; rel="next"` } : {},
});

const paged = (pagination: object, data: object = {}, policy: object = {}) =>
  node(
    "call",
    "http",
    { url: `${ledger.url}/all`, pagination: { items: "{{ response.body.items }}", ...pagination }, ...data },
    { policy },
  );
const run = (step: object, input: unknown = null) => runToEnd(api, space, definition([step]), input);

/** What was asked for by a run: the number of each request by its path. */
function askedSince(from: number): Record<string, number> {
  const paths = ledger.calls.slice(from).map(({ path }) => path);
  return Object.fromEntries(
    Map.groupBy(paths, path => path)
      .entries()
      .map(([path, all]) => [path, all.length]),
  );
}

test("requests each finished page once although the process is killed during page 17 of 25", async () => {
  const from = ledger.calls.length;
  const gate = new Gate();
  ledger.behaviour = async ({ path }) => {
    const page = pageOf(path);
    if (page === 17) await gate.opened;
    return linked(page, 25);
  };
  const { id, path } = await start(api, space, await newWorkflow(api, space, definition([paged({ next: "link" })])));
  await ledger.called(`${id}:call:page-17`);
  await server.stop("SIGKILL");
  gate.open();
  server = await restarted(server, env);
  const ended = await untilEnd(api, path);
  expect(ended).toMatchObject({ status: "completed", output: { pages: 25, status: 200 } });
  expect(ended.output.items).toEqual(numbers(25));
  const asked = askedSince(from);
  const usual = Array.from({ length: 25 }, (_, i) => [i === 0 ? "/all" : `/all?page=${i + 1}`, i === 16 ? 2 : 1]);
  expect(asked).toEqual(Object.fromEntries(usual));
  // A finished page is in the journal once.
  const log = await readLog(api, path);
  const pages = log.filter(({ event, nodeId }) => event === "step.log" && nodeId === "call");
  expect(pages.map(({ output }) => (output as Json).page as number)).toEqual(
    Array.from({ length: 25 }, (_, i) => i + 1),
  );
});

test("retries a failed page, and not the ones before", async () => {
  const from = ledger.calls.length;
  let failures = 2;
  ledger.behaviour = ({ path }) => {
    const page = pageOf(path);
    return page === 3 && failures-- > 0 ? { status: 503 } : linked(page, 4);
  };
  const retry = { maxAttempts: 3, initialMs: 5, maxMs: 20 };
  const { status, output } = await run(paged({ next: "link" }, {}, { retry }));
  expect([status, output.items]).toEqual(["completed", numbers(4)]);
  expect(askedSince(from)).toEqual({ "/all": 1, "/all?page=2": 1, "/all?page=3": 3, "/all?page=4": 1 });
});

test("finds the next page by a URL in the body or by parameters", async () => {
  ledger.behaviour = ({ path }) => {
    const page = pageOf(path);
    return { body: { items: itemsOn(page), next: page < 3 ? `/all?page=${page + 1}` : null, page: page + 1 } };
  };
  const byUrl = await run(paged({ next: { url: "{{ response.body.next }}" } }));
  expect(byUrl.output).toEqual({ items: numbers(3), pages: 3, status: 200 });
  const from = ledger.calls.length;
  const byQuery = await run(
    paged(
      { next: { query: { page: "{{ response.body.page }}" } }, until: "{{ response.body.page > input.last }}" },
      { query: { size: 3, page: 1 } },
    ),
    { last: 4 },
  );
  expect(byQuery.output).toEqual({ items: numbers(4), pages: 4, status: 200 });
  const pages = [1, 2, 3, 4].map(page => `/all?size=3&page=${page}`);
  expect(Object.keys(askedSince(from))).toEqual(pages);
  // They take the place of those in the address.
  const second = ledger.calls.length;
  const next = { query: { page: "{{ response.body.page }}" } };
  const until = "{{ response.body.page > 4 }}";
  await run(paged({ next, until }, { url: `${ledger.url}/all?size=3&page=1` }));
  expect(Object.keys(askedSince(second))).toEqual(pages);
});

test("stores pages beyond the journal's limit in files, and a retry continues from them", async () => {
  const pages = 110;
  let isBroken = true;
  // Half of the pages are short enough for the journal, until together they are too long for it.
  const items = (page: number) =>
    Array.from({ length: page % 2 ? 140 : 300 }, (_, n) => `${page}.${n} ${"x".repeat(90)}`);
  ledger.behaviour = ({ path }): Reply => {
    const page = pageOf(path);
    if (isBroken && page === 100) return { status: 400 };
    return { body: { items: items(page) }, headers: page < pages ? { link: `<?page=${page + 1}>; rel="next"` } : {} };
  };
  const from = ledger.calls.length;
  const workflowId = await newWorkflow(api, space, definition([paged({ next: "link", maxPages: 200 })]));
  const { body: first } = await api.post(`${space}/executions`, { workflowId });
  expect(await untilEnd(api, `${space}/executions/${first.id}`)).toMatchObject({ error: { code: "http_status" } });
  isBroken = false;
  const { body: again } = await api.post(`${space}/executions/${first.id}/retry`);
  const { status, output } = await untilEnd(api, `${space}/executions/${again.id}`);
  expect([status, output.pages]).toEqual(["completed", pages]);
  expect(output.items).toEqual(Array.from({ length: pages }, (_, n) => items(n + 1)).flat());
  const counts = Object.values(askedSince(from));
  expect([counts.length, counts.filter(count => count > 1)]).toEqual([pages, [2]]);
});

test("finds the next page by a page number", async () => {
  ledger.behaviour = ({ path }) => linked(pageOf(path), 50);
  const next = { query: { page: "{{ response.page + 1 }}" } };
  const { output } = await run(paged({ next, until: "{{ response.page = 4 }}" }));
  expect(output).toEqual({ items: numbers(4), pages: 4, status: 200 });
});

test("stops at its page limit, and logs that there are more pages", async () => {
  ledger.behaviour = ({ path }) => linked(pageOf(path), 50);
  const { id, output } = await run(paged({ next: "link", maxPages: 2, delayMs: 1 }));
  expect(output).toEqual({ items: numbers(2), pages: 2, status: 200 });
  const log = await readLog(api, `${space}/executions/${id}`);
  expect(log.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
    "Stopped after 2 pages, as `maxPages` says. There are more.",
  ]);
});

test.each([
  ["a page that names itself", "pagination_repeats", () => ({ body: { items: [1], next: "/all" } })],
  ["an address that is none", "invalid_data", () => ({ body: { items: [], next: "http://" } })],
  [
    "more than a step may give",
    "output_too_large",
    ({ page }: { page: number }) => ({
      body: { items: ["x".repeat(4_000_000)], next: `/all?page=${page + 1}` },
    }),
  ],
  [
    "a page that is not there",
    "http_status",
    ({ page }: { page: number }) => ({
      status: page === 2 ? 404 : 200,
      body: { items: [], next: `/all?page=${page + 1}` },
    }),
  ],
] as const)("%s fails the step with %s", async (_what, code, answer: (asked: { page: number }) => Reply) => {
  ledger.behaviour = ({ path }) => answer({ page: pageOf(path) });
  const { status, error } = await run(paged({ next: { url: "{{ response.body.next }}" } }));
  expect({ status, code: error.code }).toEqual({ status: "failed", code });
});

test("checks the expressions of paging when a workflow is saved", async () => {
  const check = async (pagination: object, data: object = {}) => {
    const step = paged({ next: "link", ...pagination }, data);
    const document = {
      format: "weft-workflow",
      version: 1,
      name: "W",
      description: "",
      definition: definition([step]),
    };
    const { body } = await api.post(`${space}/workflows/validate`, document);
    return (body.faults as { path: string; message: string }[]).map(({ path, message }) => [
      path,
      message.split(".")[0],
    ]);
  };
  const at = "/nodes/0/data";
  expect(await check({})).toEqual([]);
  expect(await check({ until: "{{ respons.body }}" })).toEqual([[`${at}/pagination/until`, "Unknown name `respons`"]]);
  expect(await check({}, { headers: { a: "{{ response.body }}" } })).toEqual([
    [`${at}/headers/a`, "Unknown name `response`"],
  ]);
  expect(await check({ items: "items" })).toEqual([
    [`${at}/pagination/items`, "Expected an expression, such as `{{ response"],
  ]);
  expect(await check({ until: "{{ 1 + }}" })).toEqual([[`${at}/pagination/until`, expect.any(String) as string]]);
  expect(await check({ maxPages: 0 })).toHaveLength(1);
});
