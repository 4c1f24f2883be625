import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Api } from "../support/api.ts";
import { runCli, startCli } from "../support/cli.ts";
import { expectProblem, faultsOf } from "../support/problem.ts";
import { realServers } from "../support/real-servers.ts";
import { removeServer, type Server, startServer, temporaryFolder } from "../support/server.ts";

const password = "correct horse battery";
let server: Server;
let api: Api;
let owner: Api;

const person = (name: string) => ({ email: `${name}@example.com`, password });
const signIn = (email: string, given = password) => api.post("/v1/auth/login", { email, password: given });
const env = () => ({
  DATA_DIR: server.dataDir,
  PUBLIC_URL: "https://weft.example.com",
  ...realServers(server.dataDir),
});
const users = (...args: string[]) => runCli(["users", ...args], env());
const usersWithInput = (input: string, ...args: string[]) => startCli(["users", ...args], env(), input).ended;
const tokenIn = (text: string) => /#token=(wfl_[\w-]+)/.exec(text)?.[1] ?? "";
const reset = (token: string, next: string) => api.post("/v1/auth/password/reset", { token, password: next });

/** Creates an account as an operator does, and sets its password by the link. */
async function newPerson(email: string): Promise<void> {
  const { stdout } = await users("create", email, "--name", "Somebody");
  expect((await reset(tokenIn(stdout), password)).status).toBe(204);
}

beforeAll(async () => {
  const dataDir = await temporaryFolder();
  const breached = join(dataDir, "breached.txt");
  writeFileSync(breached, `${createHash("sha1").update("a breached horse battery").digest("hex").toUpperCase()}:12\n`);
  server = await startServer({ dataDir, env: { REGISTRATION: "first", PASSWORDS_BREACHED: breached } });
  api = new Api(server.url);
});
afterAll(() => removeServer(server));

it("admits one of several concurrent first registrations", async () => {
  const registration = async () => (await api.get("/v1/installation")).body.registration as string;
  expect(await registration()).toBe("first");
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => api.post("/v1/auth/register", person(`first${n}`))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(403)]);
  for (const { body } of answers.filter(one => one.status === 403)) expect(body.code).toBe("registration_closed");
  expect(await registration()).toBe("invite");
  owner = api.as(answers.find(one => one.status === 201)!.body.accessToken as string);
  const another = await api.post("/v1/auth/register", person("stranger"));
  expectProblem(another, 403, "registration_closed");
});

it("a weak or breached password is rejected wherever a password is set", async () => {
  const weak = await owner.patch("/v1/auth/me", { password: { current: password, new: "password1234" } });
  expectProblem(weak, 400, "validation_failed");
  expect(faultsOf(weak)).toEqual(["/password/new"]);
  const stolen = await owner.patch("/v1/auth/me", { password: { current: password, new: "a breached horse battery" } });
  expect(stolen.body.errors).toEqual([{ path: "/password/new", message: expect.stringContaining("stolen") as string }]);
  const created = await usersWithInput("password1234\n", "create", "weak@example.com", "--ask");
  expect([created.code, created.stderr]).toEqual([1, expect.stringContaining("easy to guess")]);
});

it("an operator's reset link works once and ends all sessions", async () => {
  await newPerson("Ada@Example.com");
  const session = await signIn("ada@example.com");
  const ada = api.as(session.body.accessToken as string);
  const { stdout } = await users("reset-password", "ada@example.com");
  expect(stdout).toContain("https://weft.example.com/reset-password#token=");
  const token = tokenIn(stdout);
  const offer = await api.post("/v1/auth/password/reset/read", { token });
  expect(offer.body).toEqual({ email: "ada@example.com", expiresAt: expect.any(String) as string });
  const weak = await reset(token, "ada@example.com");
  expect(faultsOf(weak)).toEqual(["/password"]);
  const both = await Promise.all([reset(token, "the first new password"), reset(token, "the other new password")]);
  expect(both.map(({ status }) => status).sort()).toEqual([204, 410]);
  const [won, lost] = both[0].status === 204 ? ["first", "other"] : ["other", "first"];
  expect((await ada.get("/v1/auth/me")).status).toBe(401);
  const { refreshToken } = session.body;
  expect((await api.post("/v1/auth/refresh", { refreshToken })).status).toBe(401);
  expect((await signIn("ada@example.com", `the ${won} new password`)).status).toBe(200);
  expect((await signIn("ada@example.com", `the ${lost} new password`)).status).toBe(401);
  expectProblem(await reset(token, "one more new password"), 410, "link_invalid");
  expectProblem(await api.post("/v1/auth/password/reset/read", { token }), 410, "link_invalid");
  expectProblem(await reset(`${token.slice(0, -4)}AAAA`, "one more new password"), 410, "link_invalid");
});

it("a reset link ends when the password changes by other means", async () => {
  const { stdout } = await users("create", "grace@example.com");
  const token = tokenIn(stdout);
  await usersWithInput("a wholly new horse battery", "reset-password", "grace@example.com", "--ask");
  expectProblem(await reset(token, "one more new password"), 410, "link_invalid");
  expect((await signIn("grace@example.com", "a wholly new horse battery")).status).toBe(200);
});

it("a disabled account has no sessions and no keys, and is restored when it is enabled", async () => {
  await newPerson("eve@example.com");
  const session = await signIn("eve@example.com");
  const eve = api.as(session.body.accessToken as string);
  const workspace = (await eve.post("/v1/workspaces", { name: "Eve's" })).body.id as string;
  const key = (await eve.post(`/v1/workspaces/${workspace}/api-keys`, { name: "Key" })).body.key as string;
  expect((await api.as(key).get(`/v1/workspaces/${workspace}`)).status).toBe(200);
  expect((await users("disable", "eve@example.com")).stdout).toContain("is disabled");
  expect((await eve.get("/v1/auth/me")).status).toBe(401);
  expect((await api.as(key).get(`/v1/workspaces/${workspace}`)).status).toBe(401);
  expect((await api.post("/v1/auth/refresh", { refreshToken: session.body.refreshToken })).status).toBe(401);
  expectProblem(await signIn("eve@example.com"), 403, "account_disabled");
  // Only the right password tells.
  expectProblem(await signIn("eve@example.com", "not the right password"), 401, "invalid_credentials");
  const { stdout } = await users("list", "--json");
  const listed = (JSON.parse(stdout) as { email: string; disabledAt: string | null }[]).filter(one => one.disabledAt);
  expect(listed.map(({ email }) => email)).toEqual(["eve@example.com"]);
  await users("enable", "eve@example.com");
  expect((await signIn("eve@example.com")).status).toBe(200);
  expect((await api.as(key).get(`/v1/workspaces/${workspace}`)).status).toBe(200);
  expect((await users("disable", "no@example.com")).stderr).toContain("There is no account");
});
