import type { AuditEntry } from "../../contracts/entities/audit-entry.ts";
import { Api } from "../support/api.ts";
import { Browser, type AuthorizationServer, startAuthorizationServer } from "../support/authorization-server.ts";
import { startCli } from "../support/cli.ts";
import { freePort } from "../support/free-port.ts";
import { type Claims, type HostileProvider, SECRET, startHostileProvider } from "../support/hostile-provider.ts";
import { addAccounts } from "../support/members.ts";
import { closeAll } from "../support/outbound.ts";
import { expectProblem } from "../support/problem.ts";
import { providerSignIn } from "../support/provider-sign-in.ts";
import { realServers } from "../support/real-servers.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";

const password = "correct horse battery";
let server: Server;
let real: AuthorizationServer;
/** `evil` gives its people an account each, `trusted` gives them the accounts of their addresses. */
let evil: HostileProvider;
let trusted: HostileProvider;
let sso: ReturnType<typeof providerSignIn>;

beforeAll(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const claims = { email: "ada@example.org", email_verified: true, name: "Ada", groups: ["staff"] };
  [real, evil, trusted] = await Promise.all([
    startAuthorizationServer({ redirectUri: `${url}/sso/real`, claims }),
    startHostileProvider(),
    startHostileProvider(),
  ]);
  const of = (id: string, issuer: string, clientId = "weft") => ({
    [`OIDC_${id}_ISSUER`]: issuer,
    [`OIDC_${id}_CLIENT_ID`]: clientId,
    [`OIDC_${id}_CLIENT_SECRET`]: SECRET,
  });
  server = await startServer({
    port,
    env: {
      PUBLIC_URL: url,
      REGISTRATION: "first",
      // The issuers need no exception of their own; other addresses of this machine stay closed.
      OUTBOUND_ALLOW: "",
      ...of("REAL", real.url, "shop"),
      OIDC_REAL_NAME: "Real & Co",
      OIDC_REAL_REGISTER: "true",
      ...of("EVIL", evil.url),
      OIDC_EVIL_REGISTER: "true",
      ...of("TRUSTED", trusted.url),
      OIDC_TRUSTED_LINK_BY_EMAIL: "true",
    },
  });
  sso = providerSignIn(url);
  await addAccounts(server.dataDir, [TAKEN, HOST, LINKER, MALLORY, CHIEF], password);
});
afterAll(async () => {
  await removeServer(server);
  await real?.close();
  await closeAll();
});

let people = 0;
const newPerson = (): Claims & { sub: string; email: string } => {
  const sub = `person-${++people}`;
  return { sub, email: `${sub}@example.net`, email_verified: true, name: `Person ${people}` };
};
/** Accounts with a password, which an operator made. */
const [TAKEN, HOST, LINKER, MALLORY, CHIEF] = ["taken", "host", "linker", "mallory", "chief"].map(
  name => `${name}@example.com`,
) as [string, string, string, string, string];
const signIn = (email: string) => new Api(server.url).post("/v1/auth/login", { email, password });
const as = (token: string) => new Api(server.url, token);

it("signs a person in with a real provider, which provides the name and address of the account", async () => {
  const { body: installation } = await new Api(server.url).get("/v1/installation");
  expect(installation).toMatchObject({ sso: [{ id: "evil" }, { id: "real", name: "Real & Co" }, { id: "trusted" }] });
  const visit = async () => {
    const { body } = await sso.begin("real");
    const back = new URL(await new Browser().authorize(body.url as string, `${server.url}/sso/real`));
    return sso.finish("real", body.attempt as string, back.searchParams.toString());
  };
  const first = await visit();
  expect(first.status).toBe(200);
  expect(first.body.user).toMatchObject({ email: "ada@example.org", name: "Ada", hasPassword: false });
  expect(first.headers.get("set-cookie")).toContain("HttpOnly; SameSite=Strict");
  const again = await visit();
  expect(again.body.user.id).toBe(first.body.user.id);
  const me = as(again.body.accessToken as string);
  expect((await me.get("/v1/auth/providers")).body).toMatchObject([{ provider: "real", email: "ada@example.org" }]);
  const [event] = (await me.get("/v1/auth/events")).body as { type: string; detail: string }[];
  expect(event).toMatchObject({ type: "signed_in", detail: "Real & Co" });
  expectProblem(await signIn("ada@example.org"), 401, "invalid_credentials");
});

it("rejects answers of a hostile provider, and tells the operator why", async () => {
  const now = Math.floor(Date.now() / 1_000);
  const lies: [string, Parameters<HostileProvider["answer"]>[2]][] = [
    ["iss", { claims: { iss: "https://other.example.com" } }],
    ["another client", { claims: { aud: "another-client" } }],
    ["another client", { claims: { aud: ["weft", "another"], azp: undefined } }],
    ["nonce", { claims: { nonce: "another-nonce" } }],
    ["not valid", { claims: { nonce: undefined } }],
    ["exp", { claims: { exp: now - 3_600 } }],
    ["nbf", { claims: { nbf: now + 3_600 } }],
    ["from the future", { claims: { iat: now + 3_600, exp: now + 7_200 } }],
    ["algorithm", { signed: "none" }],
    ["algorithm", { signed: "hmac" }],
    ["signature", { signed: "foreign" }],
    ["key", { signed: "unlisted" }],
    ["verified", { claims: { email_verified: false } }],
    ["verified", { claims: { email: undefined } }],
  ];
  for (const [why, told] of lies) {
    const answer = await sso.by("evil", evil, newPerson(), told);
    expectProblem(answer, 403, "sso_refused");
    expect(answer.body.detail).toContain(why);
    expect(answer.headers.get("set-cookie")).toBeNull();
  }
  const { stdout } = await startCli(["users", "refusals"], { DATA_DIR: server.dataDir, ...realServers(server.dataDir) })
    .ended;
  for (const [why] of lies) expect(stdout).toContain(why);
});

it("accepts an answer once, in the browser and for the provider of the sign-in", async () => {
  const person = newPerson();
  const { body } = await sso.begin("evil");
  const [url, attempt] = [body.url as string, body.attempt as string];
  const query = evil.answer(url, person).toString();
  const both = await Promise.all([sso.finish("evil", attempt, query), sso.finish("evil", attempt, query)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
  expectProblem(await sso.finish("evil", attempt, query), 403, "sso_refused");

  const replayed = await sso.begin("evil");
  const spentCode = new URLSearchParams(query).get("code") ?? "";
  const state = new URL(replayed.body.url as string).searchParams.get("state") ?? "";
  const again = new URLSearchParams({ code: spentCode, state, iss: evil.url }).toString();
  const refused = await sso.finish("evil", replayed.body.attempt as string, again);
  expectProblem(refused, 403, "sso_refused");
  expect(refused.body.detail).toContain("invalid_grant");

  // Mixed up: begun with one provider, answered by another.
  const mixed = await sso.begin("trusted");
  const foreign = evil.answer(mixed.body.url as string, newPerson());
  expectProblem(await sso.finish("evil", mixed.body.attempt as string, foreign.toString()), 403, "sso_refused");
  const byIssuer = await sso.finish("trusted", mixed.body.attempt as string, foreign.toString());
  expectProblem(byIssuer, 403, "sso_refused");
  expect(byIssuer.body.detail).toContain("another issuer");

  const other = await sso.begin("evil");
  const wrongState = new URLSearchParams({ ...Object.fromEntries(evil.answer(url, person)), state: "another" });
  expectProblem(await sso.finish("evil", other.body.attempt as string, wrongState.toString()), 403, "sso_refused");
  const denied = new URLSearchParams({ error: "access_denied", state: "any", iss: evil.url }).toString();
  expectProblem(await sso.finish("evil", "not-an-attempt", denied), 403, "sso_refused");
  expectProblem(await sso.begin("unknown"), 404, "not_found");
});

it("signs in to an existing account with the same address only if the operator allows it", async () => {
  const person = { ...newPerson(), email: TAKEN };
  const before = as((await signIn(person.email)).body.accessToken as string);
  await before.post("/v1/workspaces", { name: "Kept" });
  // A provider that is not trusted with addresses, and one that has not verified this one.
  expectProblem(await sso.by("evil", evil, person), 403, "sso_not_linked");
  expectProblem(await sso.by("trusted", trusted, { ...person, email_verified: false }), 403, "sso_refused");
  expect((await signIn(person.email)).status).toBe(200);
  const linked = await sso.by("trusted", trusted, person);
  expect(linked.body.user).toMatchObject({ email: person.email, hasPassword: false });
  const after = as(linked.body.accessToken as string);
  expect((await after.get("/v1/workspaces")).body).toHaveLength(1);
  // The account may have been registered by another person, so the former ways in have ended.
  expectProblem(await signIn(person.email), 401, "invalid_credentials");
  expectProblem(await before.get("/v1/auth/me"), 401, "unauthenticated");
  // Without a way to create accounts, a new person stays outside.
  expectProblem(await sso.by("trusted", trusted, newPerson()), 403, "registration_closed");
});

it("admits a person with an invite to the verified address", async () => {
  const email = "guest@example.net";
  const host = as((await signIn(HOST)).body.accessToken as string);
  const { body: workspace } = await host.post("/v1/workspaces", { name: "Hosts" });
  const { body: invite } = await host.post(`/v1/workspaces/${workspace.id}/invites`, { email });
  const guest = { sub: "guest", email, email_verified: true };
  const token = { invite: invite.token as string };
  expectProblem(
    await sso.by("trusted", trusted, { ...guest, email: "x@example.net" }, {}, token),
    403,
    "registration_closed",
  );
  const { status, body } = await sso.by("trusted", trusted, guest, {}, token);
  expect(status).toBe(200);
  expect((await as(body.accessToken as string).post("/v1/invites/accept", { token: invite.token })).status).toBe(200);
});

it("links a provider to an account, signs in with it, and removes it", async () => {
  const me = { ...newPerson(), email: LINKER };
  const api = as((await signIn(me.email)).body.accessToken as string);
  const begin = { provider: "evil", password };
  expect((await api.post("/v1/auth/providers", { provider: "evil" })).status).toBe(400);
  const { body } = await api.post("/v1/auth/providers", begin);
  const query = evil.answer(body.url as string, { sub: me.sub }).toString();
  const answer = { provider: "evil", attempt: body.attempt as string, query };
  // The attempt belongs to the person who began it, and is not a sign-in.
  const mallory = as((await signIn(MALLORY)).body.accessToken as string);
  expectProblem(await mallory.post("/v1/auth/providers/finish", answer), 403, "sso_refused");
  expectProblem(await sso.finish("evil", answer.attempt, query), 403, "sso_refused");
  const linked = await api.post("/v1/auth/providers/finish", answer);
  expect(linked.body).toMatchObject({ provider: "evil", name: "Evil", email: null });
  expect((await sso.by("evil", evil, { sub: me.sub })).body.user.email).toBe(me.email);
  // The same person at the provider cannot be linked to a second account.
  const second = await mallory.post("/v1/auth/providers", begin);
  const taken = { ...answer, attempt: second.body.attempt as string };
  const again = evil.answer(second.body.url as string, { sub: me.sub }).toString();
  expectProblem(
    await mallory.post("/v1/auth/providers/finish", { ...taken, query: again }),
    409,
    "sso_linked_elsewhere",
  );
  const path = `/v1/auth/providers/${linked.body.id}/remove`;
  expectProblem(await mallory.post(path, { password }), 404, "not_found");
  expect((await api.post(path, { password: "wrong" })).status).toBe(400);
  expect((await api.post(path, { password })).status).toBe(204);
  expect((await api.get("/v1/auth/providers")).body).toEqual([]);
  // An account without a password keeps its last provider.
  const only = await sso.by("evil", evil, newPerson());
  const alone = as(only.body.accessToken as string);
  const [link] = (await alone.get("/v1/auth/providers")).body as { id: string }[];
  expectProblem(await alone.post(`/v1/auth/providers/${link!.id}/remove`, {}), 409, "last_way_in");
});

it("assigns and removes roles by groups, and people cannot change these roles", async () => {
  const chief = as((await signIn(CHIEF)).body.accessToken as string);
  const { body: workspace } = await chief.post("/v1/workspaces", { name: "Grouped" });
  const path = `/v1/workspaces/${workspace.id}`;
  const groups = [
    { provider: "evil", group: "staff", role: "viewer" },
    { provider: "evil", group: "builders", role: "editor" },
  ];
  expect((await chief.patch(`${path}/sso`, { groups })).body.groups).toHaveLength(2);
  expect((await chief.patch(`${path}/sso`, { groups: [{ ...groups[0], provider: "unknown" }] })).status).toBe(400);
  expect((await chief.patch(`${path}/sso`, { groups: [{ ...groups[0], role: "owner" }] })).status).toBe(400);
  const person = newPerson();
  const enter = async (names: string[]) => {
    const { body } = await sso.by("evil", evil, { ...person, groups: names });
    return { api: as(body.accessToken as string), userId: body.user.id as string };
  };
  const { api, userId } = await enter(["staff", "builders", "other"]);
  expect((await api.get(path)).body.role).toBe("editor");
  const members = (await chief.get(`${path}/members`)).body as { userId: string }[];
  expect(members.find(one => one.userId === userId)).toMatchObject({ role: "editor", managedBy: "evil" });
  expectProblem(await chief.patch(`${path}/members/${userId}`, { role: "admin" }), 409, "role_managed");
  expectProblem(await chief.delete(`${path}/members/${userId}`), 409, "role_managed");
  await enter(["staff"]);
  expect((await api.get(path)).body.role).toBe("viewer");
  expectProblem(await api.get(`${path}/sso`), 403, "role_too_low");
  await enter([]);
  expectProblem(await api.get(path), 404, "not_found");
  // Without a rule of the provider, the role is the people's again.
  await enter(["staff"]);
  await chief.patch(`${path}/sso`, { groups: [] });
  expect((await chief.patch(`${path}/members/${userId}`, { role: "admin" })).body.managedBy).toBeNull();
  await enter(["staff"]);
  expect((await api.get(path)).body.role).toBe("admin");
  const logged = (await chief.get(`${path}/audit?resourceType=member&limit=50`)).body as unknown as AuditEntry[];
  const byGroups = logged.filter(({ action }) => action.startsWith("groups.")).reverse();
  expect(byGroups.map(({ action }) => action)).toEqual([
    "groups.role_given",
    "groups.role_given",
    "groups.role_taken",
    "groups.role_given",
  ]);
  const actor = { kind: "user", id: userId, userId };
  for (const entry of byGroups)
    expect(entry).toMatchObject({ actor, resourceId: userId, outcome: "succeeded", address: "127.0.0.1" });
});

it("ends the sessions named in a logout of the provider, whose token works once", async () => {
  const person = newPerson();
  const session = async (sid?: string) => {
    const { body } = await sso.by("evil", evil, { ...person, sid });
    return as(body.accessToken as string);
  };
  const [one, two] = [await session("s1"), await session("s2")];
  const send = (token: string) =>
    fetch(`${server.url}/v1/auth/sso/evil/logout`, {
      method: "POST",
      body: new URLSearchParams({ logout_token: token }),
    }).then(({ status }) => status);
  const isIn = async (api: Api) => (await api.get("/v1/auth/me")).status === 200;
  const nonce = await evil.logoutToken({ sub: person.sub, nonce: "x" });
  const forged = await evil.logoutToken({ sub: person.sub }, evil.foreign);
  const others = await evil.logoutToken({ sub: person.sub, aud: "another" });
  const idToken = await evil.logoutToken({ sub: person.sub, events: {} });
  for (const bad of [nonce, forged, others, idToken, "no token"]) expect(await send(bad)).toBe(400);
  expect(await isIn(one)).toBe(true);
  const token = await evil.logoutToken({ sub: person.sub, sid: "s1" });
  expect(await send(token)).toBe(200);
  expect([await isIn(one), await isIn(two)]).toEqual([false, true]);
  expect(await send(token)).toBe(400);
  expect(await send(await evil.logoutToken({ sub: person.sub }))).toBe(200);
  expect(await isIn(two)).toBe(false);
});

it("does not contact a provider with false metadata or an address in the private network", async () => {
  const port = new URL(real.url).port;
  const liar = await startHostileProvider();
  liar.lie({ issuer: "https://other.example.com" });
  const inside = await startHostileProvider();
  // Another port of this machine: neither the issuer nor allowed.
  inside.lie({ token_endpoint: `http://127.0.0.1:${port}/token` });
  const own = await startServer({
    env: {
      OUTBOUND_ALLOW: "",
      SSO_ONLY: "true",
      OIDC_LIAR_ISSUER: liar.url,
      OIDC_LIAR_CLIENT_ID: "weft",
      OIDC_INSIDE_ISSUER: inside.url,
      OIDC_INSIDE_CLIENT_ID: "weft",
    },
  });
  try {
    const its = providerSignIn(own.url);
    expectProblem(await its.begin("liar"), 403, "sso_refused");
    const answer = await its.by("inside", inside, newPerson());
    expectProblem(answer, 403, "sso_refused");
    expect(answer.body.detail).toContain("not allowed");
    // Passwords open nothing where providers alone do.
    const person = { email: "eve@example.net", password };
    expectProblem(await new Api(own.url).post("/v1/auth/register", person), 403, "sso_only");
    expectProblem(await new Api(own.url).post("/v1/auth/login", person), 403, "sso_only");
    expectProblem(await new Api(own.url).post("/v1/auth/password/forgot", { email: person.email }), 403, "sso_only");
  } finally {
    await removeServer(own);
  }
});
