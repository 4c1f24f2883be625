import { Api } from "../support/api.ts";
import { runCli } from "../support/cli.ts";
import { expectProblem } from "../support/problem.ts";
import { realServers } from "../support/real-servers.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";

const password = "correct horse battery";
const OPERATOR = "ops@example.com";
const OTHER = "other-ops@example.com";
let server: Server;
let api: Api;
let operator: Api;

interface Person {
  api: Api;
  id: string;
  email: string;
}

const users = "/v1/operator/users";
const workspaces = "/v1/operator/workspaces";
const env = () => ({ DATA_DIR: server.dataDir, ...realServers(server.dataDir) });
const weft = (...args: string[]) => runCli(args, env());
const tokenIn = (text: string) => /#token=(wfl_[\w-]+)/.exec(text)?.[1] ?? "";
const setPassword = (link: string) => api.post("/v1/auth/password/reset", { token: tokenIn(link), password });
const signIn = (email: string) => api.post("/v1/auth/login", { email, password });

async function register(name: string): Promise<Person> {
  const email = `${name}@example.com`;
  const { body } = await api.post("/v1/auth/register", { email, password, name });
  return { api: api.as(body.accessToken as string), id: (body.user as { id: string }).id, email };
}

async function newWorkspace(by: Api, name: string): Promise<string> {
  return (await by.post("/v1/workspaces", { name })).body.id as string;
}

async function operatorFromMachine(email: string): Promise<Api> {
  const { stdout } = await weft("users", "create", email);
  expect((await setPassword(stdout)).status).toBe(204);
  return api.as((await signIn(email)).body.accessToken as string);
}

beforeAll(async () => {
  server = await startServer({ env: { OPERATORS: `Ops@Example.com, ${OTHER}` } });
  api = new Api(server.url);
  operator = await operatorFromMachine(OPERATOR);
});
afterAll(() => removeServer(server));

it("keeps an operator's address from people who only know it, by registration, invite or change of address", async () => {
  const refused = await api.post("/v1/auth/register", { email: " OTHER-ops@example.com", password });
  expectProblem(refused, 409, "email_taken");
  const eve = await register("eve");
  const workspace = await newWorkspace(eve.api, "Eve's");
  const invite = await eve.api.post(`/v1/workspaces/${workspace}/invites`, { email: OTHER, role: "viewer" });
  const byInvite = { email: OTHER, password, invite: invite.body.token };
  expectProblem(await api.post("/v1/auth/register", byInvite), 409, "email_taken");
  const moved = await eve.api.patch("/v1/auth/me", { email: OTHER, password: { current: password } });
  expectProblem(moved, 409, "email_taken");
  expect((await eve.api.get("/v1/auth/me")).body).toMatchObject({ email: eve.email, operator: false });
  expectProblem(await eve.api.get(users), 403, "operator_only");
  expect((await operator.get("/v1/auth/me")).body).toMatchObject({ email: OPERATOR, operator: true });
});

it("lists accounts page by page, and finds them by the beginning of the address", async () => {
  for (const name of ["find-ada", "find-bob", "other"]) await register(name);
  const found = await operator.get(`${users}?search=FIND-&limit=1`);
  expect(found.body).toMatchObject([{ email: "find-ada@example.com", disabledAt: null, operator: false }]);
  const next = /<([^>]+)>/.exec(found.headers.get("link") ?? "")?.[1] ?? "";
  expect((await operator.get(next)).body).toMatchObject([{ email: "find-bob@example.com" }]);
  expect(JSON.stringify(found.body)).not.toContain("passwordHash");
  expect((await operator.get(`${users}?search=${encodeURIComponent("find-a%")}`)).body).toEqual([]);
  expect((await operator.get(`${users}?search=${encodeURIComponent("$where")}`)).body).toEqual([]);
});

it("creates, disables, enables and signs out an account, and logs it for the account", async () => {
  const made = await operator.post(users, { email: "Made@example.com", name: "Made" });
  expect(made).toMatchObject({ status: 201, body: { email: "made@example.com", name: "Made", disabledAt: null } });
  expectProblem(await operator.post(users, { email: "made@example.com" }), 409, "email_taken");
  const path = `${users}/${made.body.id as string}`;
  expect(made.headers.get("location")).toBe(path);
  expect((await setPassword(made.body.link as string)).status).toBe(204);
  const first = api.as((await signIn("made@example.com")).body.accessToken as string);
  expect((await operator.delete(`${path}/sessions`)).status).toBe(204);
  expect((await first.get("/v1/auth/me")).status).toBe(401);
  const second = api.as((await signIn("made@example.com")).body.accessToken as string);
  expect((await operator.patch(path, { disabled: true })).body.disabledAt).not.toBeNull();
  expect((await second.get("/v1/auth/me")).status).toBe(401);
  expectProblem(await signIn("made@example.com"), 403, "account_disabled");
  expect((await operator.patch(path, { disabled: false })).body.disabledAt).toBeNull();
  const link = await operator.post(`${path}/reset-link`);
  expect((await setPassword(link.body.link as string)).status).toBe(204);
  const third = api.as((await signIn("made@example.com")).body.accessToken as string);
  const told = (await third.get("/v1/auth/events")).body as unknown as { type: string }[];
  const types = told.map(({ type }) => type).filter(type => type !== "signed_in" && type !== "sign_in_failed");
  const expected = ["sessions_ended", "account_disabled", "account_enabled", "reset_link_made", "password_reset"];
  expect(types.reverse()).toEqual(["password_reset", ...expected]);
});

it("cannot lock themselves out, and lose their rights when another operator disables them", async () => {
  const other = await operatorFromMachine(OTHER);
  const { id } = (await other.get("/v1/auth/me")).body;
  expectProblem(await other.patch(`${users}/${id as string}`, { disabled: true }), 409, "account_is_own");
  expect((await other.get("/v1/operator/status")).body).toMatchObject({
    users: { disabled: 0 },
    queue: { queued: 0, held: 0, workers: 1 },
    nodes: [{}],
  });
  expect((await operator.patch(`${users}/${id as string}`, { disabled: true })).status).toBe(200);
  expect((await other.get(users)).status).toBe(401);
  expect((await operator.get("/v1/operator/status")).body).toMatchObject({ users: { disabled: 1 } });
});

it("transfers and deletes a workspace without access to its contents", async () => {
  const [ann, ben] = [await register("ann"), await register("ben")];
  const workspaceId = await newWorkspace(ann.api, "Transferred");
  const path = `${workspaces}/${workspaceId}`;
  expect((await operator.get(`/v1/workspaces/${workspaceId}`)).status).toBe(404);
  const [listed] = (await operator.get(`${workspaces}?search=transf`)).body as unknown as object[];
  expect(listed).toMatchObject({ id: workspaceId, slug: "transferred", members: 1, owners: [{ email: ann.email }] });
  const owned = await operator.post(`${path}/owner`, { userId: ben.id });
  expect(owned).toMatchObject({ status: 200, body: { members: 2, owners: [{ id: ben.id }] } });
  expect((await ann.api.get(`/v1/workspaces/${workspaceId}`)).body.role).toBe("admin");
  expect((await operator.post(`${path}/owner`, { userId: ben.id })).body.owners).toHaveLength(1);
  const nowhere = await operator.post(`${path}/owner`, { userId: workspaceId });
  expectProblem(nowhere, 404, "not_found");
  const audit = await ben.api.get(`/v1/workspaces/${workspaceId}/audit?action=workspaces.operator.setOwner`);
  expect(audit.body).toMatchObject([{ outcome: "failed" }, {}, { outcome: "succeeded", fields: ["userId"] }]);
  expectProblem(await ann.api.post(`${path}/owner`, { userId: ann.id }), 403, "operator_only");
  expect((await operator.delete(path)).status).toBe(204);
  expect((await ben.api.get(`/v1/workspaces/${workspaceId}`)).status).toBe(404);
  expectProblem(await operator.get(path), 404, "not_found");
  expectProblem(await operator.delete(path), 404, "not_found");
});

it("does the same on the command line, on the machine and through the API", async () => {
  const cat = await register("cat");
  const dan = await register("dan");
  const workspaceId = await newWorkspace(cat.api, "By command");
  await weft("users", "disable", cat.email);
  expect((await signIn(cat.email)).body.code).toBe("account_disabled");
  const config = `${server.dataDir}/cli.json`;
  const there = (...args: string[]) =>
    runCli([...args, "--api", "--url", server.url], { WEFT_CONFIG: config, WEFT_API_KEY: operator.token ?? "" });
  expect(await there("users", "enable", cat.email)).toMatchObject({ code: 0 });
  expect((await signIn(cat.email)).status).toBe(200);
  expect((await there("users", "list", "--search", "ca", "--json")).json()).toMatchObject([{ email: cat.email }]);
  expect((await there("users", "reset-password", cat.email)).stdout).toContain("/reset-password#token=");
  expect((await there("users", "disable", "no@example.com")).stderr).toContain("There is no account");
  expect((await there("users", "create", "x@example.com", "--ask")).code).toBe(2);
  expect((await there("workspaces", "transfer", "by-command", dan.email)).code).toBe(0);
  expect((await weft("workspaces", "all", "--search", "by-c", "--json")).json()).toMatchObject([
    { id: workspaceId, members: 2, owners: [{ email: dan.email }] },
  ]);
  await weft("workspaces", "transfer", workspaceId, cat.email);
  expect((await dan.api.get(`/v1/workspaces/${workspaceId}`)).body.role).toBe("admin");
  expect((await there("workspaces", "delete", "by-comman")).stderr).toContain("There is no workspace");
  expect((await weft("workspaces", "delete", "by-command")).code).toBe(0);
  expect((await dan.api.get(`/v1/workspaces/${workspaceId}`)).status).toBe(404);
});
