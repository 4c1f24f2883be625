import { definition, gives, node } from "../support/definition.ts";
import { Api, newWorkflow, newWorkspace, type Answer } from "../support/api.ts";
import { read } from "../support/executions.ts";
import { removeServer, startServer, type Server } from "../support/server.ts";

let servers: Server[] = [];
let sender: Api;
let api: Awaited<ReturnType<typeof newWorkspace>>["api"];
let space: string;
beforeAll(async () => {
  const first = await startServer({ env: { PUBLIC_URL: "https://weft.example/" } });
  const limits = { RATE_LIMIT_RPS: "1", RATE_LIMIT_BURST: "3" };
  servers = [first, await startServer({ dataDir: first.dataDir, env: limits })];
  sender = new Api(first.url);
  ({ api, space } = await newWorkspace(first.url));
});
afterAll(() => Promise.all(servers.map(removeServer)));

interface Hook {
  id: string;
  secret: string;
  workflowId: string;
}

async function newHook(wanted: unknown): Promise<Hook> {
  const workflowId = await newWorkflow(api, space, wanted);
  const { status, body } = await api.post(`${space}/webhooks`, { workflowId, name: "In" });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { id: body.id, secret: body.secret, workflowId };
}

const echo = () => newHook(definition([gives("a", "{{ input }}")]));
const path = ({ id }: Hook) => `/v1/webhooks/${id}/trigger`;
const deliver = (hook: Hook, body?: unknown, headers: Record<string, string> = {}, from = sender): Promise<Answer> =>
  from.post(path(hook), body, { "x-webhook-secret": hook.secret, ...headers });
const waiting = { prefer: "wait=30" };

test("shows its secret once, with its URL", async () => {
  const workflowId = await newWorkflow(api, space, null);
  const { status, headers, body } = await api.post(`${space}/webhooks`, { workflowId });
  expect({ status, location: headers.get("location") }).toEqual({
    status: 201,
    location: `${space}/webhooks/${body.id}`,
  });
  const { secret, ...shown } = body;
  expect(secret).toMatch(/^wfh_[\w-]{43}$/);
  const url = `https://weft.example/v1/webhooks/${body.id}/trigger`;
  expect(shown).toMatchObject({ workflowId, name: "Webhook", url, lastTriggeredAt: null });
  expect((await read(api, `${space}/webhooks`))[0]).toMatchObject(shown);
  expect((await deliver({ ...body, workflowId })).status).toBe(201);
  const [triggered] = await read(api, `${space}/webhooks`);
  expect(Date.parse(triggered.lastTriggeredAt)).toBeGreaterThanOrEqual(Date.parse(shown.createdAt));
  expect((await api.delete(`${space}/webhooks/${body.id}`)).status).toBe(204);
  expect((await deliver({ ...body, workflowId })).status).toBe(401);
});

test("answers alike for a missing secret, a wrong secret and a missing webhook", async () => {
  const hook = await echo();
  const bodies = await Promise.all([
    sender.post(path(hook), {}),
    deliver({ ...hook, secret: "wrong" }, {}),
    deliver({ ...hook, secret: `${hook.secret}x` }, { nonsense: 1 }),
    deliver({ ...hook, id: "01980000-0000-7000-8000-000000000003" }, {}),
    api.post(path(hook), {}),
    sender.post(`${path(hook)}?x-webhook-secret=${hook.secret}`, {}),
  ]);
  for (const { status, body } of bodies) {
    expect({ status, code: body.code }).toEqual({ status: 401, code: "invalid_webhook_secret" });
    expect({ ...body, requestId: "" }).toEqual({ ...bodies[0].body, requestId: "" });
  }
});

test.each([
  ["an object", { a: [1] }, { a: [1] }],
  ["a list", [1, "2", null], [1, "2", null]],
  ["a number", "7.5", 7.5],
  ["a text", '"text"', "text"],
  ["false", "false", false],
  ["null", "null", null],
  ["nothing", undefined, null],
])("accepts any JSON: %s", async (_what, sent, input) => {
  const { status, headers, body } = await deliver(await echo(), sent, waiting);
  expect(status).toBe(201);
  expect(body).toMatchObject({ status: "completed", output: input, trigger: { type: "webhook" } });
  expect(headers.get("location")).toBe(`${space}/executions/${body.id}`);
});

test("answers the sender without users and without the delivered data", async () => {
  const hook = await newHook(definition([gives("a", "done")]));
  const { body } = await deliver(hook, { sent: "by a third party" }, waiting);
  expect(body).toMatchObject({ status: "completed", output: "done" });
  expect(body).not.toHaveProperty("startedBy");
  expect(body).not.toHaveProperty("input");
  expect(JSON.stringify(body)).not.toContain(api.userId);
  const whole = await read(api, `${space}/executions/${body.id}`);
  expect(whole).toMatchObject({ startedBy: api.userId, input: { sent: "by a third party" } });
});

test("parses forms and other JSON types into values", async () => {
  const hook = await echo();
  const as = (type: string, body: string) => deliver(hook, body, { ...waiting, "content-type": type });
  const form = await as(
    "application/x-www-form-urlencoded; charset=UTF-8",
    "a=1&b=x+y&a=2&c=%C3%A9&__proto__=z&token=t",
  );
  expect(form.body.output).toEqual({ a: ["1", "2"], b: "x y", c: "é", token: "t" });
  expect((await as("application/cloudevents+json", '{"id":"1"}')).body.output).toEqual({ id: "1" });
  expect((await as("text/plain", "text")).body.output).toBe("text");
  expect((await as("application/json; charset=latin1", "{}")).body).toMatchObject({
    status: 415,
    code: "unsupported_media_type",
  });
  expect((await as("application/json", "{")).body).toMatchObject({ status: 400, code: "malformed_json" });
  expect((await as("application/json", '{"__proto__":{}}')).body.code).toBe("validation_failed");
  expect((await as("application/x-www-form-urlencoded", "a&".repeat(1_001))).body.code).toBe("validation_failed");
  const large = await as("application/json", JSON.stringify("x".repeat(1_048_576)));
  expect(large).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
});

/** As proxies, clouds and their kin send them. */
const OTHERS = Object.fromEntries(
  ["x-auth-key", "x-functions-key", "ocp-apim-subscription-key", "x-accesstoken", "x-goog-iap-jwt-assertion"].map(
    name => [name, "credential"],
  ),
);

test("passes headers and query of a delivery to the workflow, without credentials", async () => {
  const hook = await newHook(definition([gives("a", "{{ trigger }}")]));
  const kept = { "x-github-event": "push", "user-agent": "sender", "x-hub-signature-256": "sha256=1" };
  const credentials = { authorization: "Bearer b", cookie: "c=1", "x-gitlab-token": "t", "x-api-key": "k", ...OTHERS };
  const { body } = await sender.post(
    `${path(hook)}?env=live&tag=1&tag=2&access_token=secret&api_key=1&accessToken=s&clientSecret=s&sessionId=s&userPassword=s&pass=s`,
    null,
    {
      ...{ ...waiting, ...kept, ...credentials, "proxy-authorization": "p" },
      "x-webhook-secret": hook.secret,
    },
  );
  expect(body.output).toMatchObject({
    type: "webhook",
    id: hook.id,
    query: { env: "live", tag: ["1", "2"] },
    headers: kept,
  });
  expect(Object.keys(body.output.query)).toEqual(["env", "tag"]);
  const names = Object.keys(body.output.headers).filter(name =>
    /auth|cookie|token|key|secret|connection|jwt/.test(name),
  );
  expect(names).toEqual([]);
  expect(body.trigger).toEqual({ type: "webhook", id: hook.id });
});

test("lets a respond step set the answer, without headers that a browser would run or store", async () => {
  const page = "<script>alert(1)</script>";
  const headers = {
    ...{ "Content-Type": "text/html", "X-Own": "{{ input.own }}", Location: "/elsewhere", "Set-Cookie": "a=b" },
    ...{ "Access-Control-Allow-Origin": "*", "Content-Security-Policy": "script-src *", "X-Frame-Options": "ALLOWALL" },
    ...{ "Transfer-Encoding": "chunked", "Content-Length": "3", "X-Accel-Redirect": "/etc", "Cache-Control": "public" },
    ...{ "X-Bad": "a\r\nb: c" },
  };
  const respond = node("r", "respond", { status: 202, headers, body: page });
  const hook = await newHook(definition([respond, node("d", "delay", { ms: 600_000 })], "r > d"));
  const response = await fetch(sender.url + path(hook), {
    method: "POST",
    headers: { "x-webhook-secret": hook.secret, "content-type": "application/json", ...waiting },
    body: '{"own": "yes"}',
  });
  expect({ status: response.status, text: await response.text() }).toEqual({ status: 202, text: page });
  const got = Object.fromEntries(response.headers);
  expect(got).toMatchObject({ "content-type": "text/html", "x-own": "yes", location: "/elsewhere" });
  expect(got).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
  expect(got["content-security-policy"]).toMatch(/^default-src 'none'; sandbox;/);
  for (const name of ["set-cookie", "access-control-allow-origin", "x-frame-options", "x-accel-redirect", "x-bad"]) {
    expect(got).not.toHaveProperty(name);
  }
  expect((await deliver(hook, {})).status).toBe(201);
});

test("sends an answer without a body, and one of JSON", async () => {
  const says = (data: object) => newHook(definition([node("r", "respond", data)]));
  const empty = await deliver(await says({ status: 204, body: "x" }), null, waiting);
  expect({ status: empty.status, body: empty.body }).toEqual({ status: 204, body: null });
  const json = await deliver(await says({ status: 418, body: { a: [1] } }), null, waiting);
  expect(json).toMatchObject({ status: 418, body: { a: [1] } });
  const nothing = await deliver(await says({}), null, waiting);
  expect({ status: nothing.status, length: nothing.headers.get("content-length") }).toEqual({
    status: 200,
    length: "0",
  });
});

test.each(["idempotency-key", "webhook-id", "x-github-delivery"])(
  "starts nothing more for a delivery that is repeated, by its %s",
  async header => {
    const hook = await echo();
    const id = { [header]: "delivery-1" };
    const other = new Api(servers[1]!.url);
    const all = await Promise.all([0, 1, 2, 3].map(i => deliver(hook, { n: 1 }, id, i % 2 ? other : sender)));
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1);
    expect(all.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(3);
    expect((await deliver({ ...hook, secret: "wrong" }, { n: 1 }, id)).status).toBe(401);
    expect(await read(api, `${space}/executions?workflowId=${hook.workflowId}`)).toHaveLength(1);
    const another = await deliver(await echo(), { n: 1 }, id);
    expect(another.headers.get("idempotent-replayed")).toBeNull();
    const changed = await deliver(hook, { n: 2 }, id);
    if (header === "idempotency-key") expect(changed.body.code).toBe("idempotency_key_reused");
    else expect(changed.body.id).toBe(all[0]!.body.id);
  },
);

test("has its own rate limit, which counts deliveries with the right secret", async () => {
  const [busy, calm] = [await echo(), await echo()];
  const limited = new Api(servers[1]!.url);
  const answers = await Promise.all(Array.from({ length: 12 }, () => deliver(busy, null, {}, limited)));
  expect(answers.map(({ status }) => status)).toContain(201);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.headers.get("ratelimit-limit")).toBe("3");
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await deliver(calm, null, {}, limited)).status).toBe(201);
});

test("pauses while its workflow is in the trash, and is deleted with it", async () => {
  const hook = await echo();
  const workflow = `${space}/workflows/${hook.workflowId}`;
  await api.patch(`${workflow}/trash`);
  const delivery = { "webhook-id": "sent-until-it-is-taken" };
  expect((await deliver(hook, 1, delivery)).body).toMatchObject({ status: 409, code: "workflow_trashed" });
  expect((await api.post(`${space}/webhooks`, { workflowId: hook.workflowId })).body.code).toBe("workflow_trashed");
  await api.patch(`${workflow}/restore`);
  const taken = await deliver(hook, 1, delivery);
  expect(taken.status).toBe(201);
  expect((await deliver(hook, 1, delivery)).body.id).toBe(taken.body.id);
  await api.delete(workflow);
  expect([401, 404]).toContain((await deliver(hook)).status);
});
