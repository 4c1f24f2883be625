import { createHmac, randomUUID } from "node:crypto";
import { type Api, type Json, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { eventually } from "../support/executions.ts";
import { untilEnd } from "../support/follow.ts";
import { removeServer, startServer } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

const HTML = { accept: "text/html" };
const FORM = { ...HTML, "content-type": "application/x-www-form-urlencoded" };
const JSON_BODY = { "content-type": "application/json" };
const HOSTS = ["pay.example"];
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });

let url: string;
let api: Api;
let space: string;
let base: string;
beforeAll(async () => {
  ({ url } = await sharedServer());
  ({ api, space } = await newWorkspace(url));
  base = space.replace(/\/spaces.*/, "");
});

const credential = async (type: string, data: object): Promise<string> =>
  (
    await api.post(`${base}/credentials`, {
      name: `${type} ${Date.now()}`,
      type,
      ...(type !== "hmac" && { hosts: HOSTS }),
      data,
    })
  ).body.id as string;

/** A run that waits behind a credential, with the address of its step. */
async function guarded(id: string, early = false, signature?: object) {
  const nodes = [gives("url", "{{ $resumeUrl('w') }}"), node("w", "wait", { credential: id, signature })];
  const hold = node("hold", "wait", { event: "go" });
  const what = early ? definition([...nodes, hold], "url > hold", "hold > w") : definition(nodes, "url > w");
  const workflowId = await newWorkflow(api, space, what);
  const { body } = await api.post(`${space}/executions`, { workflowId });
  const path = `${space}/executions/${body.id}`;
  await eventually(
    async () => ((await api.get(`${path}/steps`)).body as Json[]).some(({ status }) => status === "waiting"),
    "the step waits",
  );
  const { output } = (await api.get(`${path}/output?nodeId=url`)).body as { output: string };
  return { path, address: `${url}${new URL(output).pathname}` };
}
const send = async (address: string, headers: Record<string, string> = {}, body = '{"paid":true}') => {
  const response = await fetch(address, { method: "POST", headers: { ...JSON_BODY, ...headers }, body });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
};
const refused = { status: 401, body: { code: "link_credential_wrong" } };

test("rejects calls of a link without the basic credential of its step", async () => {
  const { path, address } = await guarded(await credential("basic", { username: "shop", password: "s3cret:ä" }));
  for (const headers of [{}, basic("shop:wrong"), basic("shop"), { authorization: "Bearer s3cret:x" }]) {
    const answer = await send(address, headers);
    expect(answer).toMatchObject(refused);
    expect(answer.headers.get("www-authenticate")).toBe('Basic realm="Weft", charset="UTF-8"');
    expect(JSON.stringify(answer.body)).not.toContain("s3cret");
  }
  // A refusal is not kept for a repeat with the right credential.
  const repeat = { "idempotency-key": "one" };
  expect(await send(address, repeat)).toMatchObject(refused);
  expect(await send(address, { ...repeat, ...basic("shop:s3cret:ä") })).toMatchObject({
    status: 200,
    body: { resumed: true },
  });
  expect(await send(address, repeat)).not.toMatchObject({ status: 200 });
  expect(await untilEnd(api, path)).toMatchObject({ status: "completed", output: { data: { paid: true } } });
});

test.each([
  ["bearer", { token: "tok-1234" }, { authorization: "bearer tok-1234" }, { authorization: "Bearer tok-1235" }],
  ["header", { name: "X-Pay", value: "abcd", prefix: "Key " }, { "x-pay": "Key abcd" }, { "x-pay": "abcd" }],
])("compares a %s credential, also before the step waits", async (type, data, right, wrong) => {
  const { path, address } = await guarded(await credential(type, data), true);
  expect(await send(address, wrong)).toMatchObject(refused);
  expect(await send(address, right)).toMatchObject({ status: 200, body: { resumed: false } });
  await api.post(`${base}/signals`, { name: "go" });
  expect(await untilEnd(api, path)).toMatchObject({ status: "completed", output: { data: { paid: true } } });
});

/** A call that is signed as Stripe does it. */
function signed(key: string, body: string, seconds = Math.floor(Date.now() / 1_000)) {
  const signature = createHmac("sha256", key).update(`${seconds}.${body}`).digest("hex");
  return { "stripe-signature": `t=${seconds},v1=${signature}` };
}

test("verifies a call by the signature of its body, with the key of an hmac credential", async () => {
  const key = "whsec_0123456789abcdef";
  const { path, address } = await guarded(await credential("hmac", { key }), false, { preset: "stripe" });
  const body = '{ "paid": true }';
  const old = Math.floor(Date.now() / 1_000) - 3_600;
  for (const headers of [{}, signed("another key", body), signed(key, '{"paid":true}'), signed(key, body, old)])
    expect(await send(address, headers, body)).toMatchObject(refused);
  expect((await fetch(address, { headers: HTML })).status).toBe(401);
  const right = signed(key, body);
  expect(await send(address, right, body)).toMatchObject({ status: 200, body: { resumed: true } });
  expect(await send(address, right, body)).toMatchObject({ status: 410 });
  expect(await untilEnd(api, path)).toMatchObject({ status: "completed", output: { data: { paid: true } } });
});

test("signs an empty body too under a custom scheme, and rejects all calls without a scheme", async () => {
  const id = await credential("hmac", { key: "k".repeat(20) });
  const { path, address } = await guarded(id, true, { header: "x-sign", algorithm: "sha512", encoding: "base64" });
  const sign = createHmac("sha512", "k".repeat(20)).update("").digest("base64");
  const empty = await fetch(address, { method: "POST", headers: { "x-sign": sign } });
  expect([empty.status, await empty.json()]).toEqual([200, { resumed: false }]);
  await api.post(`${base}/signals`, { name: "go" });
  expect(await untilEnd(api, path)).toMatchObject({ status: "completed", output: { data: null } });
  const bare = await guarded(id);
  expect(await send(bare.address, { "x-sign": sign })).toMatchObject(refused);
});

const FILE = { format: "weft-workflow", version: 1, name: "Waits", description: "" };

test("reports a signature without a credential, or of an unknown form, as a fault", async () => {
  const check = async (data: object) =>
    (await api.post(`${space}/workflows/validate`, { ...FILE, definition: definition([node("w", "wait", data)]) }))
      .body;
  const faults = await Promise.all([
    check({ signature: { preset: "stripe" } }),
    check({ credential: randomUUID(), signature: { preset: "stripe", header: "x-other" } }),
    check({ credential: randomUUID(), signature: {} }),
  ]);
  expect(faults.map(({ faults: found }) => (found as { path: string }[]).map(({ path }) => path))).toEqual([
    ["/nodes/0/data/signature"],
    ["/nodes/0/data/signature/header", "/nodes/0/data/credential"],
    ["/nodes/0/data/signature/header", "/nodes/0/data/credential"],
  ]);
});

test("reports a credential that no caller could use as a fault, and refuses to deploy it", async () => {
  const [hmac, basic, query] = await Promise.all([
    credential("hmac", { key: "k".repeat(20) }),
    credential("basic", { username: "ann", password: "pa55word" }),
    credential("query", { name: "k", value: "abcd" }),
  ]);
  const signature = { preset: "stripe" };
  const save = (data: object) => newWorkflow(api, space, definition([node("w", "wait", data)]));
  const refused: [object, string][] = [
    [{ credential: hmac }, "signature"],
    [{ credential: basic, signature }, "signature"],
    [{ credential: query }, "credential"],
  ];
  for (const [data, field] of refused) {
    const id = await save(data);
    const path = `/nodes/0/data/${field}`;
    expect((await api.post(`${space}/workflows/${id}/validate`)).body).toMatchObject({
      valid: false,
      faults: [{ path }],
    });
    expect(await api.post(`${space}/workflows/${id}/deploy`)).toMatchObject({
      ...{ status: 422, body: { code: "invalid_definition", errors: [{ path: `/definition${path}` }] } },
    });
    expect((await api.post(`${space}/workflows/${id}/deploy`, { force: true })).status).toBe(200);
  }
  for (const data of [{ credential: hmac, signature }, { credential: basic }])
    expect((await api.post(`${space}/workflows/${await save(data)}/deploy`)).status).toBe(200);
});

test("makes the browser ask for the password before the page shows anything", async () => {
  const { path, address } = await guarded(await credential("basic", { username: "ann", password: "pa55word" }));
  const asked = await fetch(address, { headers: HTML });
  expect(asked.status).toBe(401);
  expect(asked.headers.get("www-authenticate")).toMatch(/^Basic /);
  const html = await asked.text();
  expect(html).toContain("This link is protected");
  expect(html).not.toMatch(/<form|<strong>/);
  expect((await fetch(address, { method: "POST", headers: FORM, body: "" })).status).toBe(401);
  const own = basic("ann:pa55word");
  const page = await fetch(address, { headers: { ...HTML, ...own } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<form")]);
  const pressed = await fetch(address, { method: "POST", headers: { ...FORM, ...own }, body: "" });
  expect([pressed.status, await pressed.text()]).toEqual([200, expect.stringContaining("<h1>Done</h1>")]);
  expect(await untilEnd(api, path)).toMatchObject({ status: "completed" });
  // A run that has ended demands nothing: its address does nothing.
  expect((await fetch(address, { headers: HTML })).status).toBe(410);
});

test("rejects every call if the credential has another type or was deleted", async () => {
  const id = await credential("query", { name: "k", value: "abcd" });
  const { address, path } = await guarded(id);
  expect(await send(`${address}?k=abcd`, basic("k:abcd"))).toMatchObject(refused);
  await api.delete(path);
  const other = await credential("basic", { username: "a", password: "b" });
  const open = await guarded(other);
  await api.delete(`${base}/credentials/${other}?force=true`);
  expect(await send(open.address, basic("a:b"))).toMatchObject(refused);
  expect(await send(open.address, basic(":"))).toMatchObject(refused);
});

test("rejects a client that guesses too often before the check", async () => {
  const few = await startServer({ env: { RATE_LIMIT_RPS: "1", RATE_LIMIT_BURST: "40" } });
  try {
    const { api: mine, space: there } = await newWorkspace(few.url);
    const { body: made } = await mine.post(`${there.replace(/\/spaces.*/, "")}/credentials`, {
      ...{ name: "B", type: "basic", hosts: HOSTS, data: { username: "a", password: "right" } },
    });
    const workflowId = await newWorkflow(
      mine,
      there,
      definition([gives("url", "{{ $resumeUrl('w') }}"), node("w", "wait", { credential: made.id })], "url > w"),
    );
    const { body } = await mine.post(`${there}/executions`, { workflowId });
    let address = "";
    await eventually(async () => {
      const { output } = (await mine.get(`${there}/executions/${body.id}/output?nodeId=url`)).body;
      if (typeof output === "string") address = `${few.url}${new URL(output).pathname}`;
      return address !== "";
    }, "the run has the address");
    const statuses: number[] = [];
    for (let n = 0; n < 60; n++) statuses.push((await send(address, basic(`a:${n}`))).status);
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    expect((await send(address, basic("a:right"))).status).toBe(429);
  } finally {
    await removeServer(few);
  }
});
