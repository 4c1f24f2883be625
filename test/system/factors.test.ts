import { TOTP } from "otpauth";
import { Api, register } from "../support/api.ts";
import { startCli } from "../support/cli.ts";
import { expectProblem } from "../support/problem.ts";
import { sharedServer } from "../support/shared.ts";
import { temporaryFolder } from "../support/server.ts";

const password = "correct horse battery";
const FACTORS = "/v1/auth/factors";
let url: string;
beforeAll(async () => ({ url } = await sharedServer()));

/** A person with an authenticator app, and what signs them in. `code(n)` is that of the nth period from now. */
async function withApp() {
  const me = await register(url);
  const { body } = await me.post(`${FACTORS}/totp`, { password });
  const app = new TOTP({ secret: body.secret as string });
  const now = Date.now();
  const code = (period: number) => app.generate({ timestamp: now + period * 30_000 });
  const currentCode = () => app.generate({ timestamp: Date.now() });
  const confirmed = await me.post(`${FACTORS}/totp/confirm`, { code: code(-1) });
  expect(confirmed.status).toBe(200);
  const recovery = confirmed.body.recoveryCodes as string[];
  const signIn = (given?: string) => new Api(url).post("/v1/auth/login", { email: me.email, password, code: given });
  return { me, uri: body.uri as string, code, currentCode, recovery, signIn };
}

it("requires a code of the app for a sign-in with a password, and accepts each code once", async () => {
  const { me, uri, code, recovery, signIn } = await withApp();
  expect(uri).toMatch(/^otpauth:\/\/totp\/Weft:/);
  expect(new Set(recovery).size).toBe(10);
  expectProblem(await signIn(), 401, "second_factor_required");
  // The code that confirmed the app is used up.
  expectProblem(await signIn(code(-1)), 401, "invalid_code");
  expect((await signIn(code(0))).status).toBe(200);
  expectProblem(await signIn(code(0)), 401, "invalid_code");
  const both = await Promise.all([signIn(code(1)), signIn(code(1)), signIn(code(1))]);
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  // A wrong password tells nothing of the factor.
  const wrong = { email: me.email, password: "not the right password" };
  expectProblem(await new Api(url).post("/v1/auth/login", wrong), 401, "invalid_credentials");
  expectProblem(await me.post(`${FACTORS}/totp`, { password }), 409, "factor_exists");
});

it("accepts a recovery code once, however it is typed, on the web page too", async () => {
  const { me, recovery, signIn } = await withApp();
  const typed = ` ${recovery[0]!.toUpperCase().replace("-", " ")} `;
  const browser = { origin: url, "weft-console": "1" };
  const body = { email: me.email, password, code: typed };
  expect((await new Api(url).post("/v1/auth/browser/login", body, browser)).status).toBe(200);
  expectProblem(await signIn(recovery[0]), 401, "invalid_code");
  const twice = await Promise.all([signIn(recovery[1]), signIn(recovery[1])]);
  expect(twice.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await me.get(FACTORS)).body).toMatchObject({ totp: true, recoveryCodes: 8 });
  const renewed = await me.post(`${FACTORS}/recovery-codes`, { password });
  expectProblem(await signIn(recovery[2]), 401, "invalid_code");
  expect((await signIn(renewed.body.recoveryCodes[0] as string)).status).toBe(200);
});

it("limits guesses of codes, also concurrent ones, and still accepts recovery codes", async () => {
  const { code, currentCode, recovery, signIn } = await withApp();
  const right = code(0);
  const wrong = String((Number(right) + 111_111) % 1_000_000).padStart(6, "0");
  const tries = await Promise.all(Array.from({ length: 25 }, () => signIn(wrong)));
  const codes = tries.map(({ body }) => body.code as string);
  expect(codes.filter(one => one === "invalid_code").length).toBeLessThanOrEqual(5);
  expect(new Set(codes)).toEqual(new Set(["invalid_code", "rate_limited"]));
  for (let n = 0; n < 5; n++) await signIn(wrong);
  const refused = await signIn(right);
  expectProblem(refused, 429, "rate_limited");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await signIn(recovery[0])).status).toBe(200);
  // A sign-in that succeeds ends the wait. On a busy machine, the code from the beginning is no longer valid.
  expect((await signIn(currentCode())).status).toBe(200);
});

it("requires the password to change factors, and activates none before it is confirmed", async () => {
  const me = await register(url);
  const asked = await me.post(`${FACTORS}/totp`, { password: "not the right password" });
  expect(asked.body.errors).toEqual([{ path: "/password", message: "This is not the current password" }]);
  await me.post(`${FACTORS}/totp`, { password });
  expectProblem(await me.post(`${FACTORS}/totp/confirm`, { code: "000000" }), 401, "invalid_code");
  expect((await me.get(FACTORS)).body).toEqual({
    totp: false,
    proved: false,
    since: null,
    passkeys: 0,
    recoveryCodes: 0,
  });
  expect((await new Api(url).post("/v1/auth/login", { email: me.email, password })).status).toBe(200);
  const other = await withApp();
  expect((await other.me.post(`${FACTORS}/totp/remove`, { password: "wrong" })).status).toBe(400);
  expectProblem(await other.signIn(), 401, "second_factor_required");
  expect((await other.me.post(`${FACTORS}/totp/remove`, { password })).status).toBe(204);
  expect((await other.signIn()).status).toBe(200);
});

it("shows a person the log of their own account only", async () => {
  const { me, code, signIn } = await withApp();
  const other = await register(url);
  await signIn("000000");
  await signIn(code(0));
  await new Api(url).post("/v1/auth/login", { email: me.email, password: "not the right password" });
  await me.patch("/v1/auth/me", { password: { current: password, new: "another horse battery" } });
  const { body } = await me.get("/v1/auth/events");
  const types = (body as { type: string }[]).map(({ type }) => type);
  expect([...types].sort()).toEqual(
    ["factor_failed", "password_changed", "sign_in_failed", "signed_in", "totp_added"].sort(),
  );
  expect(types[0]).toBe("password_changed");
  expect(body[0]).toEqual({
    id: expect.any(String) as string,
    at: expect.any(String) as string,
    type: "password_changed",
    detail: null,
    address: "127.0.0.1",
    userAgent: null,
  });
  expect((await other.get("/v1/auth/events")).body).toEqual([]);
});

it("lets only sessions with a second factor, and API keys, into a workspace that requires one", async () => {
  const { me, code, signIn } = await withApp();
  const { body: workspace } = await me.post("/v1/workspaces", { name: "Guarded" });
  const path = `/v1/workspaces/${workspace.id}`;
  const member = await register(url);
  const { body: invite } = await me.post(`${path}/invites`, { email: member.email, role: "admin" });
  await member.post("/v1/invites/accept", { token: invite.token });
  const { body: made } = await member.post(`${path}/api-keys`, { name: "CI", role: "viewer" });
  const key = new Api(url, made.key as string);
  // An admin may not demand it, an owner's key may not, and an owner without a factor would be locked out.
  expectProblem(await member.patch(path, { demandsFactor: true }), 403, "role_too_low");
  const { body: ownKey } = await me.post(`${path}/api-keys`, { name: "Own", role: "owner" });
  expectProblem(
    await new Api(url, ownKey.key as string).patch(path, { demandsFactor: true }),
    403,
    "api_key_not_allowed",
  );
  const { body: theirs } = await member.post("/v1/workspaces", { name: "Theirs" });
  expectProblem(await member.patch(`/v1/workspaces/${theirs.id}`, { demandsFactor: true }), 403, "factor_required");
  expect((await me.patch(path, { demandsFactor: true })).body.demandsFactor).toBe(true);
  expect((await me.get(path)).status).toBe(200);
  expectProblem(await member.get(path), 403, "factor_required");
  expectProblem(await member.post(`${path}/api-keys`, { name: "More" }), 403, "factor_required");
  expectProblem(await (await register(url)).get(path), 404, "not_found");
  expect((await key.get(path)).status).toBe(200);
  expect((await member.get("/v1/workspaces")).body).toHaveLength(2);
  // Setting a factor up proves the session in which it was done, and no other.
  const other = await new Api(url).post("/v1/auth/login", { email: member.email, password });
  const elsewhere = new Api(url, other.body.accessToken as string);
  const { body } = await member.post(`${FACTORS}/totp`, { password });
  const app = new TOTP({ secret: body.secret as string });
  await member.post(`${FACTORS}/totp/confirm`, { code: app.generate({ timestamp: Date.now() - 30_000 }) });
  expect((await member.get(path)).status).toBe(200);
  expectProblem(await elsewhere.get(path), 403, "factor_required");
  expectProblem(await elsewhere.post(`${FACTORS}/prove`, { code: "000000" }), 401, "invalid_code");
  expect((await elsewhere.post(`${FACTORS}/prove`, { code: app.generate() })).status).toBe(204);
  expect((await elsewhere.get(FACTORS)).body).toMatchObject({ proved: true });
  expect((await elsewhere.get(path)).status).toBe(200);
  const fresh = await signIn(code(0));
  expect((await new Api(url, fresh.body.accessToken as string).patch(path, { demandsFactor: false })).status).toBe(200);
});

it("signs in on the command line with a code", async () => {
  const { me, recovery } = await withApp();
  const env = { HOME: await temporaryFolder(), WEFT_URL: url };
  const { stdout, stderr } = await startCli(["login", "-e", me.email, "--code", recovery[0]!], env, password).ended;
  expect(stdout + stderr).toContain(`Signed in at ${url}`);
});
