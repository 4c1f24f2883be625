import { generateKeyPairSync } from "node:crypto";
import { type Api, newWorkspace, runToEnd } from "../support/api.ts";
import { type AuthorizationServer, Browser, startAuthorizationServer } from "../support/authorization-server.ts";
import { definition, node } from "../support/definition.ts";
import { authorizedCredential, startRotatingTokens } from "../support/rotating-tokens.ts";
import { startTokenGuard, type TokenGuard } from "../support/token-guard.ts";
import { eventually } from "../support/executions.ts";
import { sharedServer } from "../support/shared.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const PEM = { type: "pkcs8", format: "pem" } as const;

let authorization: AuthorizationServer;
/** What asks for a token. It refuses those that it is told to forget. */
let guard: TokenGuard;
let api: Api;
let space: string;
let base: string;
let callback: string;
let origin: string;

beforeAll(async () => {
  const server = await sharedServer();
  origin = `http://localhost:${new URL(server.url).port}`;
  callback = `${origin}/v1/oauth/callback`;
  const key = publicKey.export({ type: "spki", format: "pem" }).toString();
  const settings = { redirectUri: callback, publicKey: key, skewSeconds: 20 };
  [authorization, guard] = await Promise.all([startAuthorizationServer(settings), startTokenGuard()]);
  const made = await newWorkspace(server.url);
  ({ api, space } = made);
  base = `/v1/workspaces/${made.workspaceId}`;
});
afterAll(() => Promise.all([authorization.close(), guard.close()]));
beforeEach(() => authorization.control({}));

let count = 0;
async function credential(type: string, data: object): Promise<string> {
  const hosts = [new URL(guard.url).host];
  const client = {
    tokenUrl: `${authorization.url}/token`,
    clientId: "shop",
    clientSecret: "client-secret-0123456789abcdef",
  };
  const body = { name: `${type} ${++count}`, type, hosts, data: type === "jwt" ? data : { ...client, ...data } };
  const answer = await api.post(`${base}/credentials`, body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id as string;
}
const get = async (id: string) => (await api.get(`${base}/credentials/${id}`)).body;
const run = (id: string) =>
  runToEnd(api, space, definition([node("call", "http", { url: `${guard.url}/orders`, credential: id })]));
const code = () =>
  credential("oauth2_code", { authorizeUrl: `${authorization.url}/auth`, scope: "openid offline_access" });

/** Begins an authorization in a browser; gives the address that leads back. */
async function begin(id: string, browser: Browser): Promise<string> {
  const { status, body, headers } = await api.post(`${base}/credentials/${id}/authorize`);
  expect(status).toBe(200);
  browser.keep(origin, headers.get("set-cookie") ?? "");
  expect(new URL(body.authorizeUrl).searchParams.get("code_challenge_method")).toBe("S256");
  return browser.authorize(body.authorizeUrl as string, callback);
}

async function authorized(): Promise<string> {
  const [id, browser] = [await code(), new Browser()];
  expect((await get(id)).status).toBe("needs_authorization");
  const back = await browser.open(await begin(id, browser));
  expect([back.status, back.headers.get("location")]).toEqual([
    302,
    expect.stringMatching(new RegExp(`^/w/[0-9a-f-]+/settings/credentials\\?id=${id}$`)),
  ]);
  expect(await get(id)).toMatchObject({ status: "ready", lastError: null });
  return id;
}

/** What editors were told of a credential. */
const notices = async (id: string) =>
  ((await api.get("/v1/notifications")).body as { type: string; link: string }[]).filter(
    one => one.type === "credential_failed" && one.link.endsWith(id),
  );

const refreshes = async () => (await authorization.seen()).filter(one => one.grant_type === "refresh_token");

test("uses one token of client credentials for many runs, and requests a new one after a 401", async () => {
  const id = await credential("oauth2_client", { scope: "orders" });
  const runs = await Promise.all([run(id), run(id), run(id)]);
  for (const { status, output } of runs) expect({ status, body: output.body }).toMatchObject({ status: "completed" });
  const asked = async () => (await authorization.seen()).filter(one => one.grant_type === "client_credentials").length;
  expect(await asked()).toBe(1);
  guard.forget();
  expect((await run(id)).status).toBe("completed");
  expect(await asked()).toBe(2);
  expect(new Set(guard.tokens).size).toBe(2);
  expect(JSON.stringify(runs)).not.toContain(guard.tokens[0]);
});

test("signs the assertion of a service account, also for a server whose clock is behind", async () => {
  const data = {
    tokenUrl: `${authorization.url}/token`,
    privateKey: privateKey.export(PEM).toString(),
    issuer: "robot",
  };
  expect((await run(await credential("jwt", data))).status).toBe("completed");
  expect(guard.tokens.at(-1)).toMatch(/^for-robot-/);
  const other = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey.export(PEM).toString();
  const id = await credential("jwt", { ...data, privateKey: other });
  expect((await run(id)).error).toMatchObject({ code: "credential_needs_authorization" });
  expect(await get(id)).toMatchObject({
    status: "error",
    lastError: expect.stringContaining("invalid_grant") as string,
  });
  const bad = { name: "bad", type: "jwt", hosts: ["a.example"], data: { ...data, privateKey: "no key" } };
  expect((await api.post(`${base}/credentials`, bad)).body.errors).toMatchObject([{ path: "/data/privateKey" }]);
});

test("authorizes with a person, rotates tokens, and uses each once", async () => {
  const id = await authorized();
  expect((await run(id)).status).toBe("completed");
  for (let turn = 0; turn < 3; turn++) {
    guard.forget();
    expect((await run(id)).status).toBe("completed");
  }
  const used = (await refreshes()).map(one => one.refresh_token);
  expect(used).toHaveLength(3);
  expect(new Set(used).size).toBe(3);
});

test("refreshes once for many runs that get a 401 at the same time", async () => {
  const id = await authorized();
  await run(id);
  const before = (await refreshes()).length;
  guard.forget();
  const runs = await Promise.all(Array.from({ length: 8 }, () => run(id)));
  expect(runs.map(({ status }) => status)).toEqual(Array(8).fill("completed"));
  expect((await refreshes()).length).toBe(before + 1);
});

test("retries after a transient failure, and keeps the refresh token", async () => {
  const id = await authorized();
  await run(id);
  guard.forget();
  await authorization.control({ fault: { status: 503, body: { error: "temporarily_unavailable" } } });
  expect((await run(id)).error).toMatchObject({ code: "unavailable" });
  expect(await get(id)).toMatchObject({ status: "ready", lastError: expect.stringContaining("503") as string });
});

test("needs a new authorization if an answer was lost and the server detects reuse, and notifies editors once", async () => {
  const id = await authorized();
  await run(id);
  guard.forget();
  await authorization.control({ lose: 1 });
  for (let again = 0; again < 3; again++)
    expect((await run(id)).error).toMatchObject({ code: "credential_needs_authorization" });
  const { status, lastError } = await get(id);
  expect({ status, lastError }).toMatchObject({
    status: "needs_authorization",
    lastError: expect.stringContaining("invalid_grant") as string,
  });
  await eventually(async () => (await notices(id)).length > 0, "a notification");
  expect(await notices(id)).toHaveLength(1);
  const browser = new Browser();
  await browser.open(await begin(id, browser));
  expect((await run(id)).status).toBe("completed");
});

test("notifies editors at the first use of a token that expired without renewal", async () => {
  const tokens = await startRotatingTokens();
  try {
    const host = new URL(guard.url).host;
    Object.assign(tokens, { seconds: 0, givesRefreshTokens: false });
    const id = await authorizedCredential(api, base, tokens, host);
    const shown = await get(id);
    expect(shown).toMatchObject({ status: "expired" });
    expect(Date.parse(shown.expiresAt as string)).toBeLessThanOrEqual(Date.now());
    expect((await run(id)).error).toMatchObject({ code: "credential_needs_authorization" });
    expect(await get(id)).toMatchObject({ status: "needs_authorization" });
    await eventually(async () => (await notices(id)).length > 0, "a notification");
    tokens.givesRefreshTokens = true;
    const renewable = await authorizedCredential(api, base, tokens, host);
    expect(await get(renewable)).toMatchObject({ status: "ready", expiresAt: null });
    tokens.seconds = 600;
    expect((await run(renewable)).status).toBe("completed");
    expect(Date.parse((await get(renewable)).expiresAt as string)).toBeGreaterThan(Date.now());
  } finally {
    await tokens.close();
  }
});

describe("a callback is refused", () => {
  const refusedBy = async (browser: Browser, address: string) => {
    const response = await browser.open(address);
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  const REFUSED = [400, "authorization_refused"];

  test("if it is repeated, comes from another browser or with another state, or is older than a newer authorization", async () => {
    const [id, browser] = [await code(), new Browser()];
    const address = await begin(id, browser);
    expect(await refusedBy(new Browser(), address)).toEqual(REFUSED);
    expect(await refusedBy(browser, address.replace(/state=[^&]+/, "state=a~b~c~d"))).toEqual(REFUSED);
    expect((await browser.open(address)).status).toBe(302);
    expect(await refusedBy(browser, address)).toEqual(REFUSED);
    const earlier = await begin(id, browser);
    await begin(id, new Browser());
    expect(await refusedBy(browser, earlier)).toEqual(REFUSED);
  });

  test("if it comes from another issuer, or the person denied access", async () => {
    const [id, browser] = [await code(), new Browser()];
    const address = new URL(await begin(id, browser));
    expect(address.searchParams.get("iss")).toBe(authorization.url);
    address.searchParams.set("iss", "https://evil.example");
    await browser.open(address.href);
    expect(await get(id)).toMatchObject({
      status: "needs_authorization",
      lastError: expect.stringContaining("iss") as string,
    });
    const second = new URL(await begin(id, browser));
    // A page that waits for the end of this authorization takes no earlier failure for its own.
    expect((await get(id)).lastError).toBeNull();
    second.searchParams.delete("code");
    second.searchParams.set("error", "access_denied");
    await browser.open(second.href);
    expect((await get(id)).lastError).toContain("access_denied");
  });
});

test("removes the tokens when the data is replaced", async () => {
  const id = await authorized();
  const data = { tokenUrl: `${authorization.url}/token`, authorizeUrl: `${authorization.url}/auth`, clientId: "shop" };
  const { body } = await api.patch(`${base}/credentials/${id}`, { data });
  expect(body).toMatchObject({ status: "needs_authorization", expiresAt: null });
  expect((await run(id)).error).toMatchObject({ code: "credential_needs_authorization" });
});

test("reports the server's answer in a test, without the secret", async () => {
  const id = await authorized();
  expect((await api.post(`${base}/credentials/${id}/test`)).body).toMatchObject({ ok: true, status: null });
  const { body } = await api.post(`${base}/credentials/${id}/test`, { url: `${guard.url}/orders` });
  expect(body).toMatchObject({ ok: true, status: 200 });
  expect(body.body).toContain("•••");
  const away = await api.post(`${base}/credentials/${id}/test`, { url: "http://127.0.0.1:9/" });
  expect(away.body).toMatchObject({ ok: false, message: expect.stringContaining("may not be sent") as string });
});
