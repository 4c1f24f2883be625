import { rm } from "node:fs/promises";
import type { Session } from "../../sdk/index.ts";
import { Api } from "../support/api.ts";
import { runCli, startCli } from "../support/cli.ts";
import { openStream } from "../support/event-stream.ts";
import { expectProblem } from "../support/problem.ts";
import { removeServer, type Server, startServer, temporaryFolder } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

const BROWSER = "/v1/auth/browser";
const password = "correct horse battery";
let server: Server;
let closed: Server;
let count = 0;

beforeAll(async () => {
  [server, closed] = await Promise.all([
    sharedServer(),
    startServer({
      env: { REGISTRATION: "first", PUBLIC_URL: "https://weft.example.com", RATE_LIMIT_AUTH_PER_MINUTE: "30" },
    }),
  ]);
});
afterAll(() => removeServer(closed));

const page = (url = server.url) => ({ origin: url, "weft-console": "1" });
const newPerson = () => ({ email: `browser-${process.pid}-${Date.now()}-${++count}@example.com`, password });
const cookieOf = (headers: Headers) => headers.getSetCookie()[0] ?? "";
const pairOf = (headers: Headers) => cookieOf(headers).split(";")[0]!;

async function signUp() {
  const person = newPerson();
  const answer = await new Api(server.url).post(`${BROWSER}/register`, person, page());
  expect(answer.status).toBe(200);
  return { ...person, token: answer.body.accessToken as string, cookie: pairOf(answer.headers), answer };
}

describe("a browser session", () => {
  it("uses a cookie that scripts and other sites cannot read, and keeps the token out of the answer", async () => {
    const { answer, email } = await signUp();
    expect(cookieOf(answer.headers)).toMatch(
      /^weft_session=wfr_[\w-]+; Path=\/v1\/auth\/browser; Max-Age=(2592000|25919\d\d); HttpOnly; SameSite=Strict$/,
    );
    expect(Object.keys(answer.body).sort()).toEqual(["accessToken", "expiresAt", "user"]);
    expect(answer.body.user).toMatchObject({ email, preferences: {} });
  });

  it("returns access tokens until it ends", async () => {
    const { cookie } = await signUp();
    const api = new Api(server.url);
    const { body, headers } = await api.post(`${BROWSER}/token`, undefined, { ...page(), cookie });
    expect(headers.getSetCookie()).toEqual([]);
    expect((await api.as(body.accessToken as string).get("/v1/auth/me")).status).toBe(200);
    const out = await api.delete(BROWSER, { ...page(), cookie });
    expect([out.status, cookieOf(out.headers)]).toEqual([204, expect.stringMatching(/^weft_session=; .*Max-Age=0/)]);
    const gone = await api.post(`${BROWSER}/token`, undefined, { ...page(), cookie });
    expect([gone.status, gone.body]).toEqual([200, null]);
    expect((await api.as(body.accessToken as string).get("/v1/auth/me")).status).toBe(401);
  });

  it.each([
    ["without an Origin", { "weft-console": "1" }],
    ["without its header", (url: string) => ({ origin: url })],
    ["from another site", { origin: "https://evil.example", "weft-console": "1" }],
    ["from another port", { origin: "http://127.0.0.1:1", "weft-console": "1" }],
    ["from a page without an origin", { origin: "null", "weft-console": "1" }],
    ["from a name that contains ours", (url: string) => ({ origin: `${url}.evil.example`, "weft-console": "1" })],
  ])("is not accessible %s", async (_name, given) => {
    const { cookie, email } = await signUp();
    const headers = { ...(typeof given === "function" ? given(server.url) : given), cookie };
    const api = new Api(server.url);
    const answers = await Promise.all([
      api.post(`${BROWSER}/token`, undefined, headers),
      api.post(`${BROWSER}/login`, { email, password }, headers),
      api.post(`${BROWSER}/register`, newPerson(), headers),
      api.delete(BROWSER, headers),
    ]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [403, "origin_not_allowed"]),
    );
    expect(answers.flatMap(answer => answer.headers.getSetCookie())).toEqual([]);
    expect((await api.post(`${BROWSER}/token`, undefined, { ...page(), cookie })).body).not.toBeNull();
  });

  it("is ignored by all other routes", async () => {
    const { cookie } = await signUp();
    for (const path of ["/v1/auth/me", "/v1/workspaces", "/v1/auth/sessions"]) {
      expect((await new Api(server.url).get(path, { ...page(), cookie })).status).toBe(401);
    }
    expect((await new Api(server.url).post("/mcp", {}, { cookie })).status).toBe(401);
  });

  it("over TLS uses a cookie name that only TLS can set, and ignores other names", async () => {
    const origin = { origin: "https://weft.example.com", "weft-console": "1" };
    const api = new Api(closed.url);
    const { headers, status } = await api.post(`${BROWSER}/register`, newPerson(), origin);
    expect(status).toBe(200);
    expect(cookieOf(headers)).toMatch(/^__Secure-weft_session=wfr_.*; SameSite=Strict; Secure$/);
    const cookie = pairOf(headers);
    expect((await api.post(`${BROWSER}/token`, undefined, { ...origin, cookie })).body).not.toBeNull();
    const planted = cookie.replace("__Secure-", "");
    expect((await api.post(`${BROWSER}/token`, undefined, { ...origin, cookie: planted })).body).toBeNull();
  });

  it("answers all wrong passwords alike, and limits attempts", async () => {
    const api = new Api(closed.url);
    const attempt = () => api.post(`${BROWSER}/login`, { email: "no@example.com", password: "x" }, page(closed.url));
    const answers = [];
    // Ten at a time, since the limit of a minute grows back while slow answers are awaited.
    for (let n = 0; n < 4; n++) answers.push(...(await Promise.all(Array.from({ length: 10 }, attempt))));
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(["invalid_credentials", "rate_limited"]));
  });
});

describe("one's own account", () => {
  it("lists the sessions with the browser's user agent, and ends them", async () => {
    const { email } = await signUp();
    const api = new Api(server.url);
    const headers = { ...page(), "user-agent": "Mozilla/5.0 Firefox/150" };
    const { body } = await api.post(`${BROWSER}/login`, { email, password }, headers);
    const me = api.as(body.accessToken as string);
    const list = await me.get("/v1/auth/sessions");
    expect(list.body).toHaveLength(2);
    expect(list.body[0]).toMatchObject({ kind: "browser", userAgent: "Mozilla/5.0 Firefox/150", address: "127.0.0.1" });
    expect((await me.delete(`/v1/auth/sessions/${list.body[1].id}`)).status).toBe(204);
    expect((await me.delete(`/v1/auth/sessions/${list.body[1].id}`)).status).toBe(404);
    expect((await me.get("/v1/auth/sessions?limit=1")).body).toHaveLength(1);
  });
});

describe("all other sessions", () => {
  it("end with one call, with their tokens and streams, while the caller's session, API keys and other people's sessions continue", async () => {
    const { email, token, cookie } = await signUp();
    const stranger = await signUp();
    const me = new Api(server.url, token);
    const { body: workspace } = await me.post("/v1/workspaces", { name: "Kept" });
    const { body: made } = await me.post(`/v1/workspaces/${workspace.id}/api-keys`, { name: "CI", role: "viewer" });
    const { body: other } = await new Api(server.url).post("/v1/auth/login", { email, password });
    const stream = await openStream(`${server.url}/v1/notifications/stream`, { token: other.accessToken as string });
    expect((await me.delete("/v1/auth/sessions")).status).toBe(204);
    await stream.rest();
    expectProblem(await me.as(other.accessToken as string).get("/v1/auth/me"), 401, "unauthenticated");
    const { refreshToken } = other as { refreshToken: string };
    expectProblem(await new Api(server.url).post("/v1/auth/refresh", { refreshToken }), 401, "invalid_refresh_token");
    expect((await me.get("/v1/auth/sessions")).body).toMatchObject([{ current: true }]);
    expect((await new Api(server.url).post(`${BROWSER}/token`, {}, { ...page(), cookie })).status).toBe(200);
    expect((await me.as(made.key as string).get(`/v1/workspaces/${workspace.id}`)).status).toBe(200);
    expect((await me.as(stranger.token).get("/v1/auth/me")).status).toBe(200);
    expect((await me.get("/v1/auth/events")).body[0]).toMatchObject({ type: "other_sessions_ended" });
    expectProblem(await me.as(made.key as string).delete("/v1/auth/sessions"), 403, "api_key_not_allowed");
  });

  it("can be listed on the command line, and ended together or one by one", async () => {
    const { email } = await signUp();
    const home = await temporaryFolder();
    const env = { XDG_CONFIG_HOME: home, WEFT_URL: server.url };
    expect((await startCli(["login", "-e", email], env, password).ended).code).toBe(0);
    await new Api(server.url).post("/v1/auth/login", { email, password });
    const listed = async () => (await runCli(["sessions", "list", "--json"], env)).json() as Session[];
    const [newest, own, first] = await listed();
    expect([newest!.current, own!.current, first!.kind]).toEqual([false, true, "browser"]);
    expect((await runCli(["sessions", "list"], env)).stdout).toContain("program, this one");
    expect((await runCli(["sessions", "end", newest!.id], env)).stdout).toBe("The session has ended.\n");
    expect((await listed()).map(({ id }) => id)).toEqual([own!.id, first!.id]);
    expect((await runCli(["sessions", "end", "--others"], env)).stdout).toBe("All your other sessions have ended.\n");
    expect((await listed()).map(({ id }) => id)).toEqual([own!.id]);
    for (const args of [[], [own!.id, "--others"]]) {
      expect((await runCli(["sessions", "end", ...args], env)).code).toBe(2);
    }
    await rm(home, { recursive: true, force: true });
  });
});

describe("an installation", () => {
  it("tells everyone which features it offers, without secrets", async () => {
    const { status, body } = await new Api(server.url).get("/v1/installation");
    expect(status).toBe(200);
    expect(body).toMatchObject({ registration: "open", console: true, chatModel: null, embedder: "built-in" });
    expect(body.limits.schedules).toBe(1_000);
  });

  it("with registration for the first person admits that person and invited people", async () => {
    const other = await startServer({ env: { REGISTRATION: "first", CONTACT: "Ada, ada@example.com" } });
    try {
      const api = new Api(other.url);
      expect((await api.get("/v1/installation")).body).toMatchObject({ contact: "Ada, ada@example.com" });
      const registration = async () => (await api.get("/v1/installation")).body.registration as string;
      expect(await registration()).toBe("first");
      const first = await api.post(`${BROWSER}/register`, newPerson(), page(other.url));
      expect([first.status, await registration()]).toEqual([200, "invite"]);
      for (const path of ["/v1/auth/register", `${BROWSER}/register`]) {
        const refused = await api.post(path, newPerson(), page(other.url));
        expect([refused.status, refused.body.code]).toEqual([403, "registration_closed"]);
      }
      const owner = api.as(first.body.accessToken as string);
      const workspace = (await owner.post("/v1/workspaces", { name: "Acme" })).body.id as string;
      const guest = newPerson();
      const invite = await owner.post(`/v1/workspaces/${workspace}/invites`, { email: guest.email, role: "editor" });
      const { token } = invite.body;
      const offer = await api.post("/v1/invites/read", { token });
      expect(offer.body).toMatchObject({ workspaceName: "Acme", email: guest.email, role: "editor" });
      const wrong = await api.post("/v1/auth/register", { ...newPerson(), invite: token });
      expect(wrong.body.code).toBe("registration_closed");
      const joined = await api.post("/v1/auth/register", { ...guest, invite: token });
      expect(joined.status).toBe(201);
      const accepted = await api.as(joined.body.accessToken as string).post("/v1/invites/accept", { token });
      expect(accepted.status).toBe(200);
      const used = (await api.post("/v1/invites/read", { token })).body;
      expect(used).toMatchObject({ code: "invite_used", detail: expect.stringMatching(/^Ask .+ for a new invite\.$/) });
      expect((await api.post("/v1/invites/read", { token: `${token}x` })).status).toBe(404);
    } finally {
      await removeServer(other);
    }
  });
});
