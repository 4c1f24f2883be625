import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Api, register } from "../support/api.ts";
import { freePort } from "../support/free-port.ts";
import { expectProblem } from "../support/problem.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";

const password = "correct horse battery";

/** The fields that documents of accounts had before second factors, providers, scopes, quotas and mails. */
const FORMER_FIELDS: Record<string, string[]> = {
  users: ["id", "email", "name", "passwordHash", "createdAt", "updatedAt"],
  sessions: ["id", "userId", "refreshHash", "replacedAt", "createdAt", "updatedAt", "expiresAt"],
  apiKeys: [
    ...["id", "workspaceId", "name", "role", "hash"],
    ...["createdBy", "memberId", "createdAt", "expiresAt", "lastUsedAt"],
  ],
  workspaces: ["id", "name", "slug", "createdAt", "updatedAt", "purgeAt", "purged"],
  members: ["id", "workspaceId", "userId", "role", "createdAt", "updatedAt", "tellAt"],
};
/** The collections that came later. */
const LATER_TABLES = [
  ...["passwordResets", "resetRequests", "emailChanges", "totps", "passkeys", "recoveries", "providerLinks"],
  ...["spentTokens", "accountEvents", "groupRoles", "views"],
];

/** Gives the store the form in which an older version left it: no later field, column, index or table. */
function makeOlder(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, "weft.db"));
  for (const table of LATER_TABLES) database.exec(`DROP TABLE "${table}"`);
  for (const [table, fields] of Object.entries(FORMER_FIELDS)) {
    const indexes = database.prepare(`SELECT name FROM pragma_index_list('${table}') WHERE origin = 'c'`).all();
    for (const { name } of indexes) database.exec(`DROP INDEX "${String(name)}"`);
    const columns = database.prepare(`SELECT name FROM pragma_table_xinfo('${table}')`).all();
    for (const { name } of columns)
      if (!["_id", "doc", ...fields].includes(String(name)))
        database.exec(`ALTER TABLE "${table}" DROP COLUMN "${String(name)}"`);
    const change = database.prepare(`UPDATE "${table}" SET doc = ? WHERE _id = ?`);
    for (const { _id, doc } of database.prepare(`SELECT _id, doc FROM "${table}"`).all()) {
      const whole = Object.entries(JSON.parse(String(doc)) as object);
      const former = Object.fromEntries(whole.filter(([name]) => fields.includes(name)));
      change.run(JSON.stringify(former), String(_id));
    }
  }
  database.close();
}

let server: Server | undefined;
afterAll(() => removeServer(server));

it("accepts accounts, sessions, API keys and invites of an older version after an upgrade", async () => {
  const port = await freePort();
  server = await startServer({ port });
  const { url, dataDir } = server;
  const [ada, bob] = [await register(url), await register(url)];
  const signIn = () => new Api(url).post("/v1/auth/login", { email: ada.email, password });
  const session = (await signIn()).body as { accessToken: string; refreshToken: string };
  const { body: workspace } = await ada.post("/v1/workspaces", { name: "Older" });
  const path = `/v1/workspaces/${workspace.id}`;
  const { body: key } = await ada.post(`${path}/api-keys`, { name: "Builds", role: "editor" });
  const { body: invite } = await ada.post(`${path}/invites`, { email: bob.email, role: "editor" });
  expect(await server.stop()).toBe(0);
  makeOlder(dataDir);
  server = await startServer({ port, dataDir });

  const me = { email: ada.email, hasPassword: true, preferences: {}, mails: "none" };
  expect((await ada.get("/v1/auth/me")).body).toMatchObject(me);
  const refreshed = await new Api(url).post("/v1/auth/refresh", { refreshToken: session.refreshToken });
  expect(refreshed.status).toBe(200);
  const api = new Api(url, refreshed.body.accessToken as string);
  expect((await api.get("/v1/auth/sessions")).body).toHaveLength(2);
  expect((await signIn()).status).toBe(200);
  expectProblem(
    await new Api(url).post("/v1/auth/login", { email: ada.email, password: `${password}!` }),
    401,
    "invalid_credentials",
  );

  const byKey = new Api(url, key.key as string);
  expect((await byKey.get(path)).body).toMatchObject({ role: "editor", demandsFactor: false });
  expect((await byKey.post(`${path}/spaces/${workspace.id}/workflows`, { name: "By a former key" })).status).toBe(201);
  expect((await api.get(`${path}/api-keys`)).body).toMatchObject([{ id: key.id, scopes: [], addresses: [] }]);
  const rotated = await api.post(`${path}/api-keys/${key.id}/rotate`, { overlapSeconds: 3_600 });
  expect(rotated.status).toBe(200);
  for (const one of [key.key, rotated.body.key] as string[])
    expect((await new Api(url, one).get(path)).status).toBe(200);

  expect((await new Api(url).post("/v1/invites/read", { token: invite.token })).body.role).toBe("editor");
  expect((await bob.post("/v1/invites/accept", { token: invite.token })).status).toBe(200);
  const members = (await api.get(`${path}/members`)).body as { role: string; managedBy: null }[];
  expect(members.map(({ role, managedBy }) => [role, managedBy])).toEqual([
    ["editor", null],
    ["owner", null],
  ]);

  // What came later is there for a former account.
  expect((await api.get("/v1/auth/factors")).body).toMatchObject({ totp: false, passkeys: 0 });
  expect((await api.post("/v1/auth/factors/totp", { password })).status).toBe(200);
  expect((await api.patch("/v1/auth/me", { mails: "hourly" })).body).toMatchObject({ mails: "hourly" });
  expect(((await api.get("/v1/auth/events")).body as object[]).length).toBeGreaterThan(0);
  expect((await api.get(`${path}/usage`)).status).toBe(200);
});
