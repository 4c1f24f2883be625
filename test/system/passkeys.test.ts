import { Api, register } from "../support/api.ts";
import { Authenticator } from "../support/authenticator.ts";
import { startCli } from "../support/cli.ts";
import { freePort } from "../support/free-port.ts";
import { expectProblem } from "../support/problem.ts";
import { realServers } from "../support/real-servers.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";

const password = "correct horse battery";
const PASSKEYS = "/v1/auth/passkeys";
let server: Server;
/** Passkeys belong to a name, so the page is not at the address of the machine. */
let site: string;

beforeAll(async () => {
  const port = await freePort();
  site = `http://localhost:${port}`;
  server = await startServer({ port, env: { PUBLIC_URL: site, DEMAND_FACTOR: "true" } });
});
afterAll(() => removeServer(server));

const page = () => ({ origin: site, "weft-console": "1" });
const stranger = () => new Api(server.url);
const begin = async () => (await stranger().post("/v1/auth/browser/passkeys", {}, page())).body;
const finish = (attempt: string, response: object) =>
  stranger().post("/v1/auth/browser/passkeys/finish", { attempt, response }, page());

/** A person with a passkey. */
async function withPasskey() {
  const me = await register(server.url);
  const authenticator = new Authenticator(site);
  const { body } = await me.post(PASSKEYS, { password });
  const answer = { attempt: body.attempt as string, response: authenticator.create(body.options), name: "My phone" };
  const made = await me.post(`${PASSKEYS}/finish`, answer);
  expect(made.status).toBe(200);
  const recovery = made.body.recoveryCodes as string[];
  const byPassword = (code?: string) => stranger().post("/v1/auth/login", { email: me.email, password, code });
  const signIn = async (told: Parameters<Authenticator["use"]>[1] = {}) => {
    const { attempt, options } = await begin();
    return finish(attempt as string, authenticator.use(options, told));
  };
  return { me, authenticator, answer, recovery, byPassword, signIn, id: made.body.passkey.id as string };
}

it("signs in with a passkey alone, or with a password and a passkey as second factor", async () => {
  const { me, recovery, byPassword, signIn } = await withPasskey();
  expect((await stranger().get("/v1/installation")).body.passkeys).toBe(true);
  const entered = await signIn();
  expect(entered.status).toBe(200);
  expect(entered.body.user.email).toBe(me.email);
  expect(entered.headers.get("set-cookie")).toContain("HttpOnly");
  expectProblem(await byPassword(), 401, "second_factor_required");
  expectProblem(await byPassword("000000"), 401, "invalid_code");
  expect(recovery).toHaveLength(10);
  const both = await Promise.all([byPassword(recovery[0]), byPassword(recovery[0])]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  expect((await me.get("/v1/auth/factors")).body).toMatchObject({ totp: false, passkeys: 1, recoveryCodes: 9 });
  const [first] = (await me.get(PASSKEYS)).body as object[];
  expect(first).toMatchObject({ name: "My phone", synced: false, usedAt: expect.any(String) as string });
  const types = ((await me.get("/v1/auth/events")).body as { type: string }[]).map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(["passkey_added", "signed_in", "recovery_code_used"]));
});

it("rejects an answer from another site, an old answer, and one of another passkey or person", async () => {
  const { me, authenticator, signIn } = await withPasskey();
  for (const told of [
    { origin: "https://evil.example.com" },
    { host: "evil.example.com" },
    { unverified: true },
    { challenge: "YW5vdGhlci1jaGFsbGVuZ2U" },
    { counter: 0 },
  ])
    expectProblem(await signIn(told), 401, "passkey_refused");
  const { attempt, options } = await begin();
  const answer = authenticator.use(options);
  const both = await Promise.all([finish(attempt as string, answer), finish(attempt as string, answer)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  // An answer to another challenge is refused. An unknown passkey gets the same answer.
  const next = await begin();
  expectProblem(await finish(next.attempt as string, answer), 401, "passkey_refused");
  const unknown = new Authenticator(site);
  const third = await begin();
  expectProblem(await finish(third.attempt as string, unknown.use(third.options)), 401, "passkey_refused");
  expectProblem(await finish("no attempt", answer), 401, "passkey_refused");
  for (const response of [{}, { id: 1 }, { id: "x", response: null }, { id: [] }])
    expectProblem(await finish((await begin()).attempt as string, response), 401, "passkey_refused");
  const types = ((await me.get("/v1/auth/events")).body as { type: string }[]).map(({ type }) => type);
  expect(types).toContain("passkey_refused");
});

it("opens workspaces with a passkey if the operator requires a second factor", async () => {
  const plain = await register(server.url);
  const { body: closed } = await plain.post("/v1/workspaces", { name: "Closed" });
  expect(closed.demandsFactor).toBe(true);
  expectProblem(await plain.get(`/v1/workspaces/${closed.id}`), 403, "factor_required");
  expectProblem(await plain.post("/v1/auth/factors/prove", { code: "000000" }), 404, "not_found");
  const { me, signIn } = await withPasskey();
  const { body: open } = await me.post("/v1/workspaces", { name: "Open" });
  const { body } = await signIn();
  for (const api of [me, new Api(server.url, body.accessToken as string)])
    expect((await api.get(`/v1/workspaces/${open.id}`)).status).toBe(200);
});

it("rejects a passkey whose counter decreases, because it is a copy", async () => {
  const { signIn } = await withPasskey();
  expect((await signIn({ counter: 50 })).status).toBe(200);
  expectProblem(await signIn({ counter: 50 }), 401, "passkey_refused");
  expect((await signIn({ counter: 51 })).status).toBe(200);
});

it("lets a person create, rename and remove only their own passkeys", async () => {
  const { me, answer, id, byPassword } = await withPasskey();
  const other = await register(server.url);
  expect((await me.post(PASSKEYS, { password: "wrong" })).status).toBe(400);
  expectProblem(await me.post(`${PASSKEYS}/finish`, answer), 401, "passkey_refused");
  // A person cannot complete the attempt of another person.
  const { body } = await me.post(PASSKEYS, { password });
  const foreign = {
    attempt: body.attempt as string,
    response: new Authenticator(site).create(body.options),
    name: "X",
  };
  expectProblem(await other.post(`${PASSKEYS}/finish`, foreign), 401, "passkey_refused");
  const unverified = new Authenticator(site).create(body.options, { unverified: true });
  expectProblem(await me.post(`${PASSKEYS}/finish`, { ...foreign, response: unverified }), 401, "passkey_refused");
  expect((await me.patch(`${PASSKEYS}/${id}`, { name: "Old phone" })).body.name).toBe("Old phone");
  expectProblem(await other.patch(`${PASSKEYS}/${id}`, { name: "Mine" }), 404, "not_found");
  expectProblem(await other.post(`${PASSKEYS}/${id}/remove`, { password }), 404, "not_found");
  expect((await me.post(`${PASSKEYS}/${id}/remove`, { password: "wrong" })).status).toBe(400);
  expectProblem(await byPassword(), 401, "second_factor_required");
  expect((await me.post(`${PASSKEYS}/${id}/remove`, { password })).status).toBe(204);
  expect((await byPassword()).status).toBe(200);
  expect((await me.get("/v1/auth/factors")).body).toMatchObject({ passkeys: 0, recoveryCodes: 0 });
});

it("lets the operator remove the passkeys of a person who lost them", async () => {
  const { me, byPassword, signIn } = await withPasskey();
  await startCli(["users", "remove-factors", me.email], { DATA_DIR: server.dataDir, ...realServers(server.dataDir) })
    .ended;
  expect((await byPassword()).status).toBe(200);
  expectProblem(await signIn(), 401, "passkey_refused");
});
