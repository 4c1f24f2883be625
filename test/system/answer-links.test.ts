import { type Api, Api as AnyApi, type Json, newWorkflow, newWorkspace, register } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { eventually, read, start } from "../support/executions.ts";
import { untilEnd } from "../support/follow.ts";
import { freePort } from "../support/free-port.ts";
import { linkIn, MailSink } from "../support/mail-sink.ts";
import { addMembers } from "../support/members.ts";
import { expectProblem } from "../support/problem.ts";
import { removeServer, type Server, startServer, temporaryFolder } from "../support/server.ts";

let sink: MailSink;
let server: Server;
let api: Awaited<ReturnType<typeof register>>;
let space: string;
let workspaceId: string;
let stranger: Api;
let count = 0;
beforeAll(async () => {
  sink = await new MailSink().start();
  const env = { SMTP_URL: sink.url, MAIL_FROM: "weft@example.com", PUBLIC_URL: "https://weft.example.com" };
  server = await startServer({ env, dataDir: await temporaryFolder(), port: await freePort() });
  ({ api, space, workspaceId } = await newWorkspace(server.url));
  stranger = new AnyApi(server.url);
});
afterAll(async () => {
  await removeServer(server);
  await sink.stop();
});

const newAddress = () => `guest-${++count}@elsewhere.example`;
const form = { type: "object", properties: { note: { type: "string" } }, required: ["note"] };

async function ask(data: object): Promise<{ id: string; path: string }> {
  const asks = node("ask", "human", { prompt: "Ship it?", allowLinks: true, ...data });
  return start(api, space, await newWorkflow(api, space, definition([asks])));
}
async function tokenFor(address: string, mails = 1): Promise<string> {
  const mail = (await sink.to(address, mails)).at(-1)!;
  const link = linkIn(mail);
  expect(link).toMatch(/^https:\/\/weft\.example\.com\/a\/link#[\w-]+$/);
  return link.split("#")[1]!;
}
const see = (token: string) => stranger.post("/v1/answer-links/read", { token });
const answer = (token: string, said: object = { approved: true }) =>
  stranger.post("/v1/answer-links", { token, ...said });

test("a person without an account answers once with an emailed link, and is named everywhere", async () => {
  const [guest, other] = [newAddress(), newAddress()];
  const { id, path } = await ask({ assignees: [guest, other], form });
  const [token, others] = [await tokenFor(guest), await tokenFor(other)];
  expect(token).not.toBe(others);
  const { status, body } = await see(token);
  expect(status).toBe(200);
  expect(body).toMatchObject({ prompt: "Ship it?", form, workflowName: "A workflow", to: guest });
  expect(Object.keys(body as object)).not.toContain("input");
  // Neither the page nor a second look answers.
  expect((await fetch(`${server.url}/a/link`, { headers: { accept: "text/html" } })).status).toBe(200);
  await see(token);
  expect((await read(api, path)).status).toBe("suspended");
  expectProblem(await answer(token), 400, "validation_failed");
  expect((await answer(token, { approved: true, data: { note: "Go" } })).status).toBe(204);
  const ended = await untilEnd(api, path);
  expect(ended.output).toMatchObject({ approved: true, data: { note: "Go" }, respondedBy: guest });
  for (const used of [token, others]) {
    expectProblem(await answer(used, { approved: false }), 410, "link_invalid");
    expectProblem(await see(used), 410, "link_invalid");
  }
  const [entry] = await read(api, `/v1/workspaces/${workspaceId}/audit?action=executions.link.answer&resourceId=${id}`);
  expect(entry).toMatchObject({ actor: { kind: "link", email: guest }, actorName: guest, spaceId: workspaceId });
  const all = (await read(api, `/v1/workspaces/${workspaceId}/answers`)) as Json[];
  const listed = all.filter(({ executionId }) => executionId === id);
  expect(listed).toMatchObject([{ answeredBy: guest, approved: true }]);
});

test("accepts one of many concurrent answers through one link", async () => {
  const guest = newAddress();
  const { path } = await ask({ assignees: [guest] });
  const token = await tokenFor(guest);
  const all = await Promise.all(Array.from({ length: 10 }, (_, n) => answer(token, { approved: n % 2 === 0 })));
  expect(all.filter(({ status }) => status === 204)).toHaveLength(1);
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([204, 410]));
  await untilEnd(api, path);
});

test("a link ends when the question expires, the run is cancelled, or the run asks again", async () => {
  const guest = newAddress();
  const short = await ask({ assignees: [guest], expiresInMs: 2_000 });
  const token = await tokenFor(guest);
  await untilEnd(api, short.path);
  expectProblem(await answer(token), 410, "link_invalid");
  const second = newAddress();
  const cancelled = await ask({ assignees: [second] });
  const dead = await tokenFor(second);
  await api.delete(cancelled.path);
  expectProblem(await answer(dead), 410, "link_invalid");
  const { body: again } = await api.post(`${cancelled.path}/retry`, {});
  expect((await see(await tokenFor(second, 2))).status).toBe(200);
  expectProblem(await answer(dead), 410, "link_invalid");
  await api.delete(`${space}/executions/${again.id}`);
});

test("rejects a link that was altered anywhere", async () => {
  const guest = newAddress();
  await ask({ assignees: [guest] });
  const token = await tokenFor(guest);
  for (let at = 0; at < token.length; at += 3) {
    const other = token[at] === "A" ? "B" : "A";
    expectProblem(await see(token.slice(0, at) + other + token.slice(at + 1)), 410, "link_invalid");
  }
  for (const bad of ["x", token.slice(0, -1), `${token}=`, `${token}A`])
    expectProblem(await see(bad), 410, "link_invalid");
});

test("a member's link answers in the member's name, also for viewers, and ends with the membership", async () => {
  const viewer = await register(server.url);
  await addMembers(server.dataDir, [{ workspaceId, userId: viewer.userId, role: "viewer" }]);
  expect((await viewer.patch("/v1/auth/me", { mails: "now" })).status).toBe(200);
  const first = await ask({ assignees: [viewer.userId] });
  const token = await tokenFor(viewer.email);
  expect((await see(token)).body.to).toBeUndefined();
  expect((await answer(token)).status).toBe(204);
  expect((await untilEnd(api, first.path)).output.respondedBy).toBe(viewer.userId);
  await ask({ assignees: [viewer.userId] });
  const late = await tokenFor(viewer.email, 2);
  await api.delete(`/v1/workspaces/${workspaceId}/members/${viewer.userId}`);
  await eventually(async () => (await see(late)).status === 410, "the link has ended");
  expectProblem(await answer(late), 410, "link_invalid");
});

test("without `allowLinks` no link is sent, and no API response shows one", async () => {
  const guest = newAddress();
  await api.patch("/v1/auth/me", { mails: "now" });
  const plain = await ask({ assignees: [api.userId], allowLinks: false });
  const [mail] = await sink.to(api.email);
  expect(mail!.text).not.toContain("/a/link");
  const linked = await ask({ assignees: [guest] });
  const token = await tokenFor(guest);
  const shown = await Promise.all([
    api.get(linked.path),
    api.get(`${linked.path}/logs`),
    api.get(`/v1/workspaces/${workspaceId}/questions`),
    api.get("/v1/notifications"),
  ]);
  expect(JSON.stringify(shown.map(({ body }) => body as unknown))).not.toContain(token.slice(-20));
  await Promise.all([plain, linked].map(({ path }) => api.delete(path)));
});
