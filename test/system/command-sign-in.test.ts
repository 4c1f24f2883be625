import { createHash, randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { TOTP } from "otpauth";
import { Api } from "../support/api.ts";
import { runCli, startCli } from "../support/cli.ts";
import { expectProblem } from "../support/problem.ts";
import { temporaryFolder } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

const BROWSER = "/v1/auth/browser";
const COMMAND = "/v1/auth/command";
const password = "correct horse battery";
let url: string;
beforeAll(async () => ({ url } = await sharedServer()));

const page = () => ({ origin: url, "weft-console": "1" });
const post = (path: string, body: object, headers = {}) => new Api(url).post(path, body, headers);
const cookieOf = (headers: Headers) => headers.getSetCookie()[0]!.split(";")[0]!;

let count = 0;
/** A person who is signed in on the web page. */
async function signUp() {
  const email = `command-${process.pid}-${Date.now()}-${++count}@example.com`;
  const { headers, body } = await post(`${BROWSER}/register`, { email, password }, page());
  return { email, cookie: cookieOf(headers), api: new Api(url, body.accessToken as string) };
}

function newVerifier() {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}
const askCode = (cookie: string, challenge: string) => post(`${BROWSER}/command`, { challenge }, { ...page(), cookie });
async function codeFor(cookie: string, challenge: string): Promise<string> {
  const { status, body } = await askCode(cookie, challenge);
  expect(status).toBe(200);
  return body.code as string;
}

it("signs in the command line with a code from the web page", async () => {
  const { email, cookie, api } = await signUp();
  const home = await temporaryFolder();
  const env = { XDG_CONFIG_HOME: home };
  const running = startCli(["login", "--browser", "--url", url], env, null);
  let printed = "";
  running.process.stderr!.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  await running.printed("challenge=");
  const challenge = /\/command\?challenge=([\w-]{43})\n/.exec(printed)?.[1] ?? "";
  running.process.stdin!.end(`${await codeFor(cookie, challenge)}\n`);
  const { code, stdout } = await running.ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: `Signed in at ${url} as ${email}.\n` });
  expect((await runCli(["whoami"], env)).stdout).toBe(`${email} at ${url}\n`);
  const sessions = (await api.get("/v1/auth/sessions")).body as { kind: string }[];
  expect(sessions.map(({ kind }) => kind).sort()).toEqual(["browser", "program"]);
  const [event] = (await api.get("/v1/auth/events")).body as object[];
  expect(event).toMatchObject({ type: "signed_in", detail: "by a code of the web page" });
  await rm(home, { recursive: true, force: true });
});

it("accepts a code once, for the command that made the challenge", async () => {
  const { cookie } = await signUp();
  const { verifier, challenge } = newVerifier();
  const code = await codeFor(cookie, challenge);
  expectProblem(await post(COMMAND, { code, verifier: newVerifier().verifier }), 401, "invalid_code");
  expectProblem(await post(COMMAND, { code: `${code.slice(0, -4)}AAAA`, verifier }), 401, "invalid_code");
  const both = await Promise.all([post(COMMAND, { code, verifier }), post(COMMAND, { code, verifier })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  // The same code, written in another way.
  expectProblem(await post(COMMAND, { code: `${code}==`, verifier }), 401, "invalid_code");
  const entered = both.find(({ status }) => status === 200)!.body;
  const refreshed = await post("/v1/auth/refresh", { refreshToken: entered.refreshToken as string });
  expect(refreshed.status).toBe(200);
});

it("binds a code to the browser's session, so that both end together", async () => {
  const { cookie, api } = await signUp();
  const { verifier, challenge } = newVerifier();
  expectProblem(await post(`${BROWSER}/command`, { challenge }, page()), 401, "unauthenticated");
  // An access token is not enough, because the new session outlasts it.
  expectProblem(await api.post(`${BROWSER}/command`, { challenge }, page()), 401, "unauthenticated");
  expectProblem(await post(`${BROWSER}/command`, { challenge }, { cookie }), 403, "origin_not_allowed");
  const elsewhere = { ...page(), origin: "https://evil.example.com", cookie };
  expectProblem(await post(`${BROWSER}/command`, { challenge }, elsewhere), 403, "origin_not_allowed");
  expect((await askCode(cookie, "short")).status).toBe(400);
  const code = await codeFor(cookie, challenge);
  expect((await new Api(url).request("DELETE", BROWSER, undefined, { ...page(), cookie })).status).toBe(204);
  expectProblem(await post(COMMAND, { code, verifier }), 401, "invalid_code");
  expectProblem(await askCode(cookie, challenge), 401, "unauthenticated");
});

it("gives the command's session the second factor of the browser's session", async () => {
  const { email, cookie, api } = await signUp();
  const { body } = await api.post("/v1/auth/factors/totp", { password });
  const app = new TOTP({ secret: body.secret as string });
  const proved = async (by: string) => {
    const { verifier, challenge } = newVerifier();
    const { body: entered } = await post(COMMAND, { code: await codeFor(by, challenge), verifier });
    return ((await new Api(url, entered.accessToken as string).get("/v1/auth/factors")).body as { proved: boolean })
      .proved;
  };
  expect(await proved(cookie)).toBe(false);
  const confirmed = await api.post("/v1/auth/factors/totp/confirm", { code: app.generate() });
  const [recovery] = confirmed.body.recoveryCodes as string[];
  const { headers } = await post(`${BROWSER}/login`, { email, password, code: recovery }, page());
  expect(await proved(cookieOf(headers))).toBe(true);
});
