import { definition, gives } from "../support/definition.ts";
import { type Api, newWorkspace } from "../support/api.ts";
import { sharedServer } from "../support/shared.ts";
import { secretOf, type Sender, SENDER_NAMES, SENDERS } from "../support/webhook-senders.ts";
import { type Hook, newHook, runsOf, send } from "../support/webhooks.ts";

let api: Api;
let space: string;
beforeAll(async () => {
  ({ api, space } = await newWorkspace((await sharedServer()).url));
});

const now = () => Math.floor(Date.now() / 1_000);
const address = ({ id }: { id: string }) => `${api.url}/v1/webhooks/${id}/trigger`;
const waiting = { prefer: "wait=30" };
const refused = { status: 401, body: { code: "invalid_webhook_secret" } };

const TIMED: Sender[] = ["stripe", "slack", "standard-webhooks", "svix"];
/** Bytes that no serialiser would give back. */
const BODY = Buffer.from('{ "name":"Zoë 🚲",\t"n":1.0 }\r\n');

describe.each(SENDER_NAMES)("deliveries signed as by %s", sender => {
  const secret = secretOf(sender);
  let hook: Hook;
  beforeAll(async () => {
    hook = await newHook(api, space, { auth: { type: "hmac", preset: sender, secret } });
  });
  const deliver = (body = BODY, by = secret, at = now(), more = {}) =>
    send(address(hook), body, { ...SENDERS[sender](by, body, at), ...waiting, ...more });

  it("are accepted with a signature over the received bytes, and never with the visible secret", async () => {
    expect(hook.secret).toBe("");
    expect(await deliver()).toMatchObject({ status: 201, body: { output: { name: "Zoë 🚲", n: 1 } } });
    const shown = JSON.stringify([await api.get(`${space}/webhooks`), await api.get(`${space}/webhooks/${hook.id}`)]);
    expect(shown).not.toContain(secret);
  });

  it("are rejected if the body, the secret or the time is wrong", async () => {
    const signed = SENDERS[sender](secret, BODY, now());
    const wrong = await Promise.all([
      send(address(hook), Buffer.concat([BODY, Buffer.from(" ")]), signed),
      deliver(BODY, "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
      send(address(hook), BODY),
      send(address(hook), BODY, { "x-webhook-secret": secret }),
      ...(TIMED.includes(sender) ? [deliver(BODY, secret, now() - 310), deliver(BODY, secret, now() + 310)] : []),
    ]);
    for (const answer of wrong) expect(answer).toMatchObject(refused);
  });

  it("are accepted as a form too", async () => {
    const form = Buffer.from("payload=%7B%22a%22%3A1%7D&x=1+2");
    const answer = await deliver(form, secret, now(), { "content-type": "application/x-www-form-urlencoded" });
    expect(answer).toMatchObject({ status: 201, body: { output: { payload: '{"a":1}', x: "1 2" } } });
  });

  it("are accepted under the old secret for a while, and no longer after the secret is set again", async () => {
    const rotated = await api.post(`${space}/webhooks/${hook.id}/rotate-secret`);
    expect(rotated.status).toBe(200);
    const left = Date.parse(rotated.body.previousSecretUntil) - Date.now();
    expect(left).toBeGreaterThan(23 * 3_600_000);
    expect(left).toBeLessThanOrEqual(24 * 3_600_000);
    const fresh = rotated.body.secret as string;
    const other = (n: number) => Buffer.from(`{"n":${n}}`);
    expect((await deliver(other(1), fresh)).status).toBe(201);
    expect((await deliver(other(2))).status).toBe(201);
    const again = await api.post(`${space}/webhooks/${hook.id}/rotate-secret`);
    const all = [again.body.secret as string, fresh, secret];
    for (const [n, by] of all.entries()) expect((await deliver(other(n + 3), by)).status).toBe(201);
    const set = await api.patch(`${space}/webhooks/${hook.id}`, {
      auth: { type: "hmac", preset: sender, secret: fresh },
    });
    expect(set.body).toMatchObject({ previousSecretUntil: null });
    expect((await deliver(other(6), fresh)).status).toBe(201);
    expect(await deliver(other(7))).toMatchObject(refused);
  });
});

test.each(TIMED)(
  "starts nothing more for a replayed delivery of %s, whatever its unsigned headers say",
  async sender => {
    const secret = secretOf(sender);
    const hook = await newHook(api, space, { auth: { type: "hmac", preset: sender, secret } });
    const signed = SENDERS[sender](secret, BODY, now());
    const others: Record<string, string>[] = [{}, { "idempotency-key": "another" }, { "x-github-delivery": "another" }];
    if (sender !== "standard-webhooks") others.push({ "webhook-id": "another" });
    const answers = [];
    for (const more of others) answers.push(await send(address(hook), BODY, { ...signed, ...more }));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.slice(1).map(({ headers }) => headers.get("idempotent-replayed"))).toEqual(
      Array(answers.length - 1).fill("true"),
    );
    expect(await runsOf(api, space, hook)).toHaveLength(1);
  },
);

test.each([
  ["stripe", { id: "evt_1" }],
  ["slack", { type: "event_callback", event_id: "Ev1" }],
] as const)("an event that %s sends again later, signed anew, starts nothing more", async (sender, event) => {
  const secret = secretOf(sender);
  const hook = await newHook(api, space, { auth: { type: "hmac", preset: sender, secret } });
  const deliver = (text: string, at: number) =>
    send(address(hook), text, SENDERS[sender](secret, Buffer.from(text), at));
  const first = await deliver(JSON.stringify(event), now() - 100);
  const second = await deliver(JSON.stringify({ ...event, attempt: 2 }), now());
  expect(second.body.id).toBe(first.body.id);
  expect(await runsOf(api, space, hook)).toHaveLength(1);
});

describe("handshakes", () => {
  it("of Slack are answered after their signature was checked, without a run", async () => {
    const secret = secretOf("slack");
    const hook = await newHook(api, space, { auth: { type: "hmac", preset: "slack", secret } });
    const text = JSON.stringify({ type: "url_verification", challenge: "3eZbrw1a" });
    const answer = await send(address(hook), text, SENDERS.slack(secret, Buffer.from(text), now()));
    expect([answer.status, answer.text, answer.headers.get("content-type")]).toEqual([200, "3eZbrw1a", "text/plain"]);
    expect(await send(address(hook), text)).toMatchObject(refused);
    expect(await runsOf(api, space, hook)).toEqual([]);
  });

  it("of Meta are answered only with the verify token", async () => {
    const secret = secretOf("meta");
    const hook = await newHook(api, space, { auth: { type: "hmac", preset: "meta", secret } });
    expect(hook.verifyToken).toMatch(/^wfh_/);
    const ask = (token: string) =>
      send(
        `${address(hook)}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`,
        undefined,
        {},
        "GET",
      );
    const answer = await ask(hook.verifyToken);
    expect([answer.status, answer.text]).toEqual([200, "1158201444"]);
    expect(await ask("wrong")).toMatchObject(refused);
    const own = { type: "hmac", preset: "meta", secret, verifyToken: "chosen by me" };
    const { body } = await api.patch(`${space}/webhooks/${hook.id}`, { auth: own });
    expect(body).not.toHaveProperty("verifyToken");
    expect((await ask("chosen+by+me")).text).toBe("1158201444");
    expect(await ask(hook.verifyToken)).toMatchObject(refused);
    expect(await runsOf(api, space, hook)).toEqual([]);
  });

  it("of Microsoft Graph are answered at the address with the token", async () => {
    const hook = await newHook(api, space, { auth: { type: "path", preset: "microsoft-graph" } });
    expect(hook.url).toContain(`/trigger/${hook.secret}`);
    const ask = (token: string) =>
      send(`${address(hook)}/${token}?validationToken=Validation%3A+Testing+client`, "", {
        "content-type": "text/plain",
      });
    const answer = await ask(hook.secret);
    expect([answer.status, answer.text]).toEqual([200, "Validation: Testing client"]);
    expect(await ask("wrong")).toMatchObject(refused);
    expect((await send(`${address(hook)}/${hook.secret}`, '{"value":[]}')).status).toBe(201);
    expect(await runsOf(api, space, hook)).toHaveLength(1);
  });
});

describe("other ways to recognise a sender", () => {
  const shows = definition([gives("a", "{{ trigger }}")]);

  it("a header with a custom name, which the workflow does not see", async () => {
    const hook = await newHook(api, space, { auth: { type: "header", name: "X-Own-Proof" } }, shows);
    const answer = await send(address(hook), "{}", { "x-own-proof": hook.secret, "x-other": "seen", ...waiting });
    expect(answer).toMatchObject({ status: 201, body: { output: { headers: { "x-other": "seen" }, method: "POST" } } });
    expect(answer.text).not.toContain(hook.secret);
    const whole = await api.get(`${space}/executions/${answer.body.id}/logs`);
    expect(JSON.stringify(whole.body)).not.toContain(hook.secret);
    expect(await send(address(hook), "{}", { "x-webhook-secret": hook.secret })).toMatchObject(refused);
  });

  it("a name and a password", async () => {
    const hook = await newHook(api, space, { auth: { type: "basic", username: "zoë" } });
    const basic = (name: string, password: string) => ({
      authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`,
    });
    expect((await send(address(hook), "{}", basic("zoë", hook.secret))).status).toBe(201);
    for (const wrong of [basic("zoe", hook.secret), basic("zoë", "x"), {}, { authorization: "Basic" }]) {
      expect(await send(address(hook), "{}", wrong)).toMatchObject(refused);
    }
    expect((await api.get(`${space}/webhooks/${hook.id}`)).body.auth).toEqual({ type: "basic", username: "zoë" });
  });

  it("a token in the address, which is shown once", async () => {
    const hook = await newHook(api, space, { auth: { type: "path" } }, shows);
    const at = (token: string) => `${address(hook)}/${token}`;
    const answer = await send(at(hook.secret), "{}", waiting);
    expect(answer.status).toBe(201);
    expect(answer.text).not.toContain(hook.secret);
    for (const url of [address(hook), at("wrong"), `${address(hook)}?token=${hook.secret}`]) {
      expect(await send(url, "{}", { "x-webhook-secret": hook.secret })).toMatchObject(refused);
    }
    const { body } = await api.get(`${space}/webhooks/${hook.id}`);
    expect(JSON.stringify(body)).not.toContain(hook.secret);
    const rotated = (await api.post(`${space}/webhooks/${hook.id}/rotate-secret`)).body;
    for (const token of [rotated.secret, hook.secret]) expect((await send(at(token), "{}")).status).toBe(201);
  });

  it("the key of a credential, as long as it exists", async () => {
    const credentials = `${space.slice(0, space.indexOf("/spaces/"))}/credentials`;
    const key = "the key of the credential";
    const made = await api.post(credentials, { name: "Signing", type: "hmac", data: { key } });
    expect(made.status).toBe(201);
    const auth = { type: "hmac", preset: "github", credential: made.body.id as string };
    const hook = await newHook(api, space, { auth });
    expect(hook.secret).toBe("");
    const deliver = (by: string) => send(address(hook), BODY, SENDERS.github(by, BODY));
    expect((await deliver(key)).status).toBe(201);
    expect(await deliver("another key of some length")).toMatchObject(refused);
    expect((await api.post(`${space}/webhooks/${hook.id}/rotate-secret`)).status).toBe(400);
    await api.patch(`${credentials}/${made.body.id}`, { data: { key: "its second key of some length" } });
    expect((await deliver("its second key of some length")).status).toBe(201);
    expect((await api.delete(`${credentials}/${made.body.id}?force=true`)).status).toBe(204);
    expect(await deliver("its second key of some length")).toMatchObject(refused);
    const missing = await api.post(`${space}/webhooks`, { workflowId: hook.workflowId, auth });
    expect(missing).toMatchObject({ status: 400, body: { errors: [{ path: "/auth/credential" }] } });
  });

  it("a custom scheme", async () => {
    const secret = "a secret of some length";
    const auth = { type: "hmac", header: "X-Signature", algorithm: "sha1", encoding: "base64", secret };
    const hook = await newHook(api, space, { auth });
    // printf '{"a":1}' | openssl dgst -sha1 -hmac 'a secret of some length' -binary | base64
    const signature = "+lk4VjuvqZ+a6hvFIMxDy0LnbWg=";
    expect((await send(address(hook), '{"a":1}', { "x-signature": signature })).status).toBe(201);
    expect(await send(address(hook), '{"a":2}', { "x-signature": signature })).toMatchObject(refused);
  });
});

test.each([
  [{ type: "hmac" }, "/auth/header"],
  [{ type: "hmac", preset: "github", header: "x" }, "/auth/header"],
  [{ type: "hmac", header: "x-s", signed: "timestamp.body" }, "/auth/timestampHeader"],
  [{ type: "hmac", preset: "github", verifyToken: "a token of some length" }, "/auth/verifyToken"],
  [{ type: "hmac", preset: "standard-webhooks", secret: "not base64 at all!" }, "/auth/secret"],
  [{ type: "hmac", preset: "gitlub" }, "/auth/preset"],
  [{ type: "path", secret: "no/slash/in/the/path" }, "/auth/secret"],
  [{ type: "header", secret: "short" }, "/auth/secret"],
  [{ type: "header", name: "Content-Type" }, "/auth/name"],
  [{ type: "header", name: "no header" }, "/auth/name"],
  [{ type: "basic", username: "a:b" }, "/auth/username"],
  [{ type: "basic" }, "/auth/username"],
  [{ type: "none", secret: "a secret of some length" }, "/auth/secret"],
  [{ type: "psychic" }, "/auth/type"],
])("rejects %j", async (auth, path) => {
  const hook = await newHook(api, space);
  const { status, body } = await api.patch(`${space}/webhooks/${hook.id}`, { auth });
  expect({ status, paths: (body.errors as { path: string }[]).map(error => error.path) }).toEqual({
    status: 400,
    paths: [path],
  });
});
