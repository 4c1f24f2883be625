import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import {
  accountEvents,
  apiKeys,
  emailChanges,
  passkeys,
  passwordResets,
  providerLinks,
  recoveries,
  sessions,
  totps,
  users,
} from "../../services/identity/model.ts";
import { memories } from "../../services/memory/model.ts";
import { notifications } from "../../services/notifications/model.ts";
import { drafts } from "../../services/workflows/draft-model.ts";
import { invites, members, views, workspaces } from "../../services/workspaces/model.ts";
import { Api } from "../support/api.ts";
import { runCli } from "../support/cli.ts";
import { expectProblem } from "../support/problem.ts";
import { realServers, storeAt } from "../support/real-servers.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const password = "correct horse battery";
const COLLECTIONS = [
  accountEvents,
  apiKeys,
  drafts,
  emailChanges,
  passkeys,
  passwordResets,
  providerLinks,
  recoveries,
  sessions,
  totps,
  users,
  memories,
  notifications,
  invites,
  members,
  views,
  workspaces,
];
const OPERATORS = { OPERATORS: "ops@example.com" };
/** When the process is killed after several deletions have begun, in ms, so that each is cut off at another point. */
const KILLED_AFTER = [0, 40];
const AT_ONCE = 4;
let server: Server;
let store: Store;
let names = 0;

interface Person {
  api: Api;
  id: string;
  email: string;
}

async function register(): Promise<Person> {
  const api = new Api(server.url);
  const email = `person${names++}@example.com`;
  const { body } = await api.post("/v1/auth/register", { email, password, name: "Known Name" });
  return { api: api.as(body.accessToken as string), id: (body.user as { id: string }).id, email };
}

const newWorkspace = async ({ api }: Person, name: string) =>
  (await api.post("/v1/workspaces", { name })).body.id as string;

async function join(by: Person, workspaceId: string, who: Person, role: string): Promise<void> {
  const { body } = await by.api.post(`/v1/workspaces/${workspaceId}/invites`, { email: who.email, role });
  expect((await who.api.post("/v1/invites/accept", { token: body.token })).status).toBe(200);
}

/** A person with something of everything, in a workspace of their own and in one of another person. */
async function personWithTraces() {
  const [person, host] = [await register(), await register()];
  const own = await newWorkspace(person, "Alone");
  const shared = await newWorkspace(host, "Shared");
  await join(host, shared, person, "admin");
  const base = `/v1/workspaces/${shared}`;
  const key = (await person.api.post(`${base}/api-keys`, { name: "Key" })).body.key as string;
  await person.api.post(`${base}/memories`, { content: "I live in Paris" });
  await person.api.post(`${base}/views`, { name: "Mine", page: "runs" });
  await person.api.post(`${base}/invites`, { email: "guest@example.com", role: "viewer" });
  await person.api.post("/v1/auth/login", { email: person.email, password });
  await addStored(person, shared);
  return { person, host, own, shared, base, key };
}

/** What takes mails, a provider, an authenticator or a workflow to make, as the service stores it. */
async function addStored({ id: userId, email }: Person, shared: string): Promise<void> {
  const createdAt = new Date();
  const expiresAt = new Date(createdAt.getTime() + 3_600_000);
  const unique = { id: `${userId}-x`, userId, createdAt };
  await store.global(passwordResets).insert({ ...unique, expiresAt });
  await store.global(emailChanges).insert({ ...unique, email: `new-${email}`, former: email, expiresAt });
  const provider = { provider: "p", issuer: "https://p.example", subject: userId, email };
  await store.global(providerLinks).insert({ ...unique, ...provider });
  const passkey = { name: "Key", credentialId: userId, publicKey: "k", counter: 0, transports: [], synced: false };
  await store.global(passkeys).insert({ ...unique, ...passkey });
  await store.global(recoveries).insert({ id: userId, hashes: ["h"], version: 1 });
  const secret = { secret: "s", recovery: [], failures: 0, version: 1 };
  await store.global(totps).insert({ id: userId, createdAt, confirmedAt: null, ...secret });
  const text = { name: "Draft", description: "", definition: {}, baseVersion: 1, revision: "r" };
  const place = { id: `${userId}-x`, spaceId: shared, workflowId: userId, userId, updatedAt: createdAt };
  await store.tenant(drafts, shared).insert({ workspaceId: shared, ...place, ...text });
}

type Traces = Awaited<ReturnType<typeof personWithTraces>>;

async function leftOf({ person: { id }, own, shared }: Traces) {
  const counts = await Promise.all([
    store.global(sessions).count({ userId: id }),
    store.global(accountEvents).count({ userId: id }),
    store.global(notifications).count({ userId: id }),
    store.acrossTenants(apiKeys).count({ createdBy: id }),
    store.acrossTenants(members).count({ userId: id }),
    store.tenant(memories, shared).count({ userId: id }),
    store.tenant(views, shared).count({ createdBy: id }),
    store.tenant(invites, shared).count({ invitedBy: id, pending: true }),
    store.global(workspaces).count({ id: own, purgeAt: null }),
    store.global(passwordResets).count({ userId: id }),
    store.global(emailChanges).count({ userId: id }),
    store.global(providerLinks).count({ userId: id }),
    store.global(passkeys).count({ userId: id }),
    store.global(recoveries).count({ id }),
    store.global(totps).count({ id }),
    store.tenant(drafts, shared).count({ userId: id }),
  ]);
  return counts.join(" ");
}
const NOTHING = Array.from({ length: 16 }, () => "0").join(" ");

const again = (api: Api) => new Api(server.url).as(api.token ?? "");

beforeAll(async () => {
  server = await startServer({ env: OPERATORS });
  store = await openStore({ ...storeAt(server.dataDir), collections: COLLECTIONS });
});
afterAll(async () => {
  await store?.close();
  await removeServer(server);
});

it("a person deletes their account with the password, and what remains does not identify them", async () => {
  const traces = await personWithTraces();
  const { person, host, base, key, shared } = traces;
  await until(async () => !(await leftOf(traces)).split(" ").includes("0"));
  expectProblem(await person.api.post("/v1/auth/me/remove", { password: "wrong" }), 400, "validation_failed");
  expect((await person.api.post("/v1/auth/me/remove", { password })).status).toBe(204);
  expect((await person.api.get("/v1/auth/me")).status).toBe(401);
  expect((await new Api(server.url).as(key).get(base)).status).toBe(401);
  expectProblem(await person.api.post("/v1/auth/login", { email: person.email, password }), 401, "invalid_credentials");
  await until(async () => (await leftOf(traces)) === NOTHING);
  expect((await host.api.get(`${base}/members`)).body).toMatchObject([{ userId: host.id }]);
  const audit = JSON.stringify((await host.api.get(`${base}/audit?limit=200`)).body);
  expect(audit).toContain(person.id);
  expect(audit).not.toContain("person0@");
  const user = await store.global(users).get({ id: person.id });
  expect(user).toMatchObject({ name: null, email: `~${person.id}`, passwordHash: "" });
  const next = await new Api(server.url).post("/v1/auth/register", { email: person.email, password });
  expect(next.status).toBe(201);
  expect((await new Api(server.url).as(next.body.accessToken as string).get(`/v1/workspaces/${shared}`)).status).toBe(
    404,
  );
});

it("the sole owner of a shared workspace cannot delete their account until it has another owner", async () => {
  const { person, host, base, shared } = await personWithTraces();
  const refused = await host.api.post("/v1/auth/me/remove", { password });
  expectProblem(refused, 409, "owns_workspaces");
  expect(refused.body.detail).toContain("Shared");
  const env = { DATA_DIR: server.dataDir, ...realServers(server.dataDir), ...OPERATORS };
  expect((await runCli(["users", "delete", host.email], env)).stderr).toContain("Shared");
  expect((await host.api.patch(`${base}/members/${person.id}`, { role: "owner" })).status).toBe(200);
  expect((await runCli(["users", "delete", host.email], env)).code).toBe(0);
  await until(async () => (await store.tenant(members, shared).count({ userId: host.id })) === 0);
  expect((await person.api.get(`${base}/members`)).body).toMatchObject([{ userId: person.id, role: "owner" }]);
  expect((await runCli(["users", "delete", host.email], env)).stderr).toContain("There is no account");
});

it("an operator deletes other accounts, but not their own", async () => {
  const traces = await personWithTraces();
  const env = { DATA_DIR: server.dataDir, ...realServers(server.dataDir), ...OPERATORS };
  const { stdout } = await runCli(["users", "create", "ops@example.com"], env);
  const api = new Api(server.url);
  await api.post("/v1/auth/password/reset", { token: /#token=(wfl_[\w-]+)/.exec(stdout)?.[1], password });
  const { body } = await api.post("/v1/auth/login", { email: "ops@example.com", password });
  const operator = api.as(body.accessToken as string);
  const { id } = (await operator.get("/v1/auth/me")).body;
  expectProblem(await operator.delete(`/v1/operator/users/${id as string}`), 409, "account_is_own");
  const path = `/v1/operator/users/${traces.person.id}`;
  expect((await operator.delete(path)).status).toBe(204);
  expectProblem(await operator.get(path), 404, "not_found");
  expectProblem(await operator.delete(path), 404, "not_found");
  await until(async () => (await leftOf(traces)) === NOTHING);
});

it("completes a deletion although kills interrupt it at any point", async () => {
  const all: Traces[] = [];
  for (const ms of KILLED_AFTER) {
    const some = await Promise.all(Array.from({ length: AT_ONCE }, personWithTraces));
    all.push(...some);
    const remove = ({ person }: Traces) => again(person.api).post("/v1/auth/me/remove", { password });
    const answers = await Promise.all(some.map(remove));
    expect(answers.map(({ status }) => status)).toEqual(some.map(() => 204));
    await sleep(ms);
    await server.stop("SIGKILL");
    server = await startServer({ dataDir: server.dataDir, env: OPERATORS });
  }
  for (const traces of all) await until(async () => (await leftOf(traces)) === NOTHING);
  for (const { host, base } of all) expect((await again(host.api).get(`${base}/members`)).body).toHaveLength(1);
});
