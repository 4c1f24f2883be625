import { type Api, type Json, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { eventually, read } from "../support/executions.ts";
import { untilEnd } from "../support/follow.ts";
import { sharedServer } from "../support/shared.ts";
import { undescribed } from "../support/described.ts";

const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const FORM = { ...HTML, "content-type": "application/x-www-form-urlencoded" };

let url: string;
let api: Api;
let space: string;
beforeAll(async () => {
  ({ url } = await sharedServer());
  ({ api, space } = await newWorkspace(url));
});

interface Page {
  status: number;
  headers: Headers;
  html: string;
}
async function open(path: string, init: RequestInit = { headers: HTML }): Promise<Page> {
  const response = await fetch(path, init);
  const html = await response.text();
  const { status, headers } = response;
  const method = init.method === "POST" ? "POST" : "GET";
  expect(undescribed(method, path, { status, headers, body: null })).toBeUndefined();
  return { status, headers, html };
}
const press = (path: string) => open(path, { method: "POST", headers: FORM, body: "" });

const untilWaits = (path: string) =>
  eventually(async () => {
    const { body } = await api.get(`${path}/steps`);
    return (body as Json[]).some(({ status, waitsFor }) => status === "waiting" && waitsFor === "event");
  }, "the step waits");

/** A run that waits, with the address of its step. */
async function linked(data: object = {}, name?: string) {
  const wait = { ...node("w", "wait", data), ...(name !== undefined && { name }) };
  const path = await launch(definition([gives("url", "{{ $resumeUrl('w') }}"), wait], "url > w"));
  await untilWaits(path);
  return { path, address: await addressOf(path) };
}
async function launch(what: object): Promise<string> {
  const workflowId = await newWorkflow(api, space, what);
  const { body } = await api.post(`${space}/executions`, { workflowId });
  return `${space}/executions/${body.id}`;
}
async function addressOf(path: string): Promise<string> {
  let found: unknown;
  await eventually(async () => {
    found = (await api.get(`${path}/output?nodeId=url`)).body?.output;
    return typeof found === "string";
  }, "the run has the address");
  return `${url}${new URL(found as string).pathname}`;
}

test("shows a page without effect when the link is opened, and resumes the run by its button", async () => {
  const { path, address } = await linked({}, `<img src=x> & "Approve"`);
  const page = await open(address);
  expect(page.status).toBe(200);
  expect(page.html).toContain("&lt;img src=x&gt; &amp; &quot;Approve&quot;");
  expect(page.html).toMatch(/<form method="post" action="\?">/);
  expect(page.html).not.toMatch(/<script|<img/);
  for (const init of [{ headers: { accept: "*/*" } }, { method: "HEAD" }]) {
    expect((await open(address, init)).status).toBe(200);
  }
  expect((await open(`${address}?utm_source=mail`)).status).toBe(200);
  expect(await read(api, path)).toMatchObject({ finishedAt: null });
  const done = await press(`${address}?`);
  expect(done).toMatchObject({ status: 200, html: expect.stringContaining("<h1>Done</h1>") as string });
  expect(await untilEnd(api, path)).toMatchObject({ status: "completed", output: { data: null, source: "link" } });
  for (const used of [await open(address), await press(address)]) {
    expect(used).toMatchObject({ status: 410, html: expect.stringContaining("has been used") as string });
    expect(used.html).not.toMatch(/<form|Approve/);
  }
});

test("serves pages that are not cached, indexed, framed or sent as a referrer, and run no script", async () => {
  const { address } = await linked();
  for (const page of [await open(address), await open(`${url}/v1/resume/AAAA`), await press(address)]) {
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex, nofollow",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[\w+/]+='; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ) as string,
    });
  }
});

test("says why a link no longer resumes a run", async () => {
  const { path, address } = await linked();
  for (const unknown of ["/v1/resume/AAAA", `${new URL(address).pathname.slice(0, -4)}`, "/v1/resume/%3Cb%3E"]) {
    for (const page of [await open(url + unknown), await press(url + unknown)]) {
      expect(page).toMatchObject({ status: 404, html: expect.stringContaining("is not known") as string });
    }
  }
  await api.delete(path);
  expect(await open(address)).toMatchObject({ status: 410, html: expect.stringContaining("no longer") as string });

  const late = definition(
    [
      gives("url", "{{ $resumeUrl('w') }}"),
      node("w", "wait", { expiresInMs: 50 }),
      node("hold", "wait", { event: "never" }),
    ],
    "url > w",
    "w:timeout > hold",
  );
  const expired = await addressOf(await launch(late));
  await eventually(async () => (await open(expired)).html.includes("has expired"), "the wait is over");
  expect((await press(expired)).status).toBe(410);
  expect(await api.as("").post(new URL(expired).pathname, {})).toMatchObject({ status: 410 });
});

test("says that a link is used too early, and later that it was used", async () => {
  const what = definition(
    [gives("url", "{{ $resumeUrl('w') }}"), node("hold", "wait", { event: "early" }), node("w", "wait", {})],
    "url > hold",
    "hold > w",
  );
  const path = await launch(what);
  const address = await addressOf(path);
  expect((await open(address)).status).toBe(200);
  expect((await press(address)).html).toContain("as soon as it reaches this step");
  expect((await open(address)).html).toContain("has been used");
  await untilWaits(path);
  await api.post(`${space.replace(/\/spaces.*/, "")}/signals`, { name: "early" });
  expect(await untilEnd(api, path)).toMatchObject({ status: "completed", output: { source: "link" } });
});

test("accepts data for a step from programs only, which get JSON", async () => {
  const { path, address } = await linked({ schema: { type: "object", required: ["paid"] } });
  expect(await press(address)).toMatchObject({ status: 400, html: expect.stringContaining("needs data") as string });
  const answer = await api.as("").post(new URL(address).pathname, { paid: true });
  expect(answer).toMatchObject({ status: 200, body: { resumed: true } });
  expect(await untilEnd(api, path)).toMatchObject({ status: "completed" });
});
