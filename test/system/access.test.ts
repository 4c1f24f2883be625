import { existsSync, readFileSync } from "node:fs";
import { v7 as uuid } from "uuid";
import { ACTIONS, type ActionName } from "../../contracts/actions.ts";
import { ROLES, type Role } from "../../contracts/primitives.ts";
import { GATEWAY_ROUTES, pathVariables, ROUTES } from "../../contracts/routes.ts";
import { ADDITIONS } from "../support/additions.ts";
import { type Answer, Api, register } from "../support/api.ts";
import { openStream } from "../support/event-stream.ts";
import { EventStream } from "../support/events.ts";
import { download, upload, uploadTo } from "../support/files.ts";
import { readLog } from "../support/follow.ts";
import { type McpTestServer, startMcpServer, usualTools } from "../support/mcp-server.ts";
import { addMembers } from "../support/members.ts";
import { BODIES, type Ids, QUERIES } from "../support/request-bodies.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";
import { newTenant, type Tenant } from "../support/tenant.ts";
import { until } from "../support/until.ts";

/** What is answered by a stream of events. */
const STREAMS = ["events", "notifications", "workspaceEvents"] as const;
type Stream = (typeof STREAMS)[number];
/** What speaks the Model Context Protocol, and what answers with bytes. */
type Protocol = "mcp" | "workspaceMcp" | "file" | "workspaceExport";
const isProtocol = (action: string) => action === "mcp" || action === "workspaceMcp";
const LIST_TOOLS = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const isStream = (action: string): action is Stream => (STREAMS as readonly string[]).includes(action);

interface Served {
  method: string;
  path: string;
  action: ActionName | Stream | Protocol;
  access: string;
  status: number;
}

const SERVED: Served[] = [
  ...ROUTES.map(({ method, path, action, status, role }) => {
    const access = role ?? ACTIONS[action].access;
    return { method, path, action, status, access };
  }),
  ...GATEWAY_ROUTES.map(({ method, path, name, access }) => ({
    method,
    path,
    action: name as Stream | Protocol,
    access,
    status: 200,
  })),
];
const CLOSED = SERVED.filter(({ access }) => access !== "public");
const IN_WORKSPACE = CLOSED.filter(({ access }) => access !== "user" && access !== "operator");
const isRole = (access: string): access is Role => (ROLES as readonly string[]).includes(access);

/** Variables of a path that name nothing of a tenant's, and the workspace, which has a test of its own. */
const OF_NOBODY = new Set(["wId", "version", "seq", "slug", "from", "to", "templateId"]);
const TEMPLATE_ID = (JSON.parse(readFileSync("templates/expense-approval.json", "utf8")) as { id: string }).id;

/** What `:id` names, by the first of these that the path contains; in all other paths, a workflow. */
const PLACES: readonly (readonly [place: string, idOf: (ids: Ids) => string])[] = [
  ["/notifications/", () => notificationId],
  ["/bulk/", ids => ids.bulkId],
  ["/executions/", ids => ids.executionId],
  ["/views/", ids => ids.viewId],
  ["/api-keys/", ids => ids.keyId],
  ["/schedules/", ids => ids.scheduleId],
  ["/webhooks/", ids => ids.webhookId],
  ["/credentials/", ids => ids.credentialId],
  ["/files/", ids => ids.fileId],
  ["/memories/", ids => ids.memoryId],
  ["/mcp-servers", ids => ids.toolServerId ?? ""],
  ["/apis/", ids => ids.apiId],
  ["/knowledge", ids => ids.baseId],
];

const idsOf = (served: Served, ids: Ids): Record<string, string> => ({
  wId: ids.workspaceId,
  sId: ids.spaceId,
  podId: ids.podId,
  userId: ids.memberId,
  inviteId: ids.inviteId,
  version: "1",
  seq: "1",
  other: ids.executionId,
  slug: foreignSlug,
  from: "1",
  to: "1",
  templateId: TEMPLATE_ID,
  token: "token",
  entryId: ids.entryId,
  eId: ids.entryId,
  importId: ids.importId,
  toolId: ids.toolId ?? "",
  id: PLACES.find(([place]) => served.path.includes(place))?.[1](ids) ?? ids.workflowId,
});

const pathOf = (served: Served, ids: Ids, changed: Record<string, string> = {}) =>
  served.path.replace(/:(\w+)/g, (_, name: string) => ({ ...idsOf(served, ids), ...changed })[name] ?? "") +
  (QUERIES[served.action] ?? "");

async function ask(api: Api, served: Served, ids: Ids, path = pathOf(served, ids)): Promise<Answer> {
  if (isProtocol(served.action)) {
    return api.request(served.method, path, LIST_TOOLS, { accept: "application/json, text/event-stream" });
  }
  if (served.action === "files.create") return upload(api, path.split("/")[3] ?? "", "text");
  if (served.action === "executions.files.add") return uploadTo(api, path, "text");
  if (served.action === "file") {
    const { status, headers, bytes } = await download(api, path.split("/")[3] ?? "", path.split("/")[5] ?? "");
    const answer = { status, headers, body: status === 200 ? null : (JSON.parse(bytes.toString()) as unknown) };
    return answer;
  }
  if (!isStream(served.action) && served.action !== "workspaceExport")
    return api.request(served.method, path, BODIES[served.action]?.({ ...ids, toolServer: tools.url, invitation }));
  const response = await fetch(api.url + path, { headers: { authorization: `Bearer ${api.token}` } });
  const { status, headers, body, ok } = response;
  if (!ok) {
    const answer = { status, headers, body: await response.json() };
    await Api.check("GET", response.url, answer);
    return answer;
  }
  await body?.cancel();
  return { status, headers, body: null };
}

let server: Server;
/** What tenants have as a tool server. */
let tools: McpTestServer;
let nobody: Api;
let stranger: Awaited<ReturnType<typeof register>>;
const people = new Map<Role, Awaited<ReturnType<typeof register>>>();
const as = (role: Role) => people.get(role) as Api;
/** A tenant for each route that changes something, so that none has to repair what another did, and one for all others. */
const own = new Map<Served, Ids>();
/** Another for what changes something, where API keys may do the same. */
const ofKeys = new Map<Served, Ids>();
let foreign: Ids;
let foreignSlug: string;
/** One of the stranger's. */
let notificationId: string;
/** The token of an invite for the stranger. */
let invitation: string;
/** A key of the stranger's workspace with all that a key can do there. */
let foreignKey: Api;

async function newKey(by: Api, workspaceId: string, role: Role): Promise<Api> {
  const { status, body } = await by.post(`/v1/workspaces/${workspaceId}/api-keys`, { name: role, role });
  if (status !== 201) throw new Error(`Making a key answered ${status}: ${JSON.stringify(body)}`);
  return by.as(body.key as string);
}

const TENANTS_AT_A_TIME = 50;

beforeAll(async () => {
  [server, tools] = await Promise.all([sharedServer(), startMcpServer({ tools: usualTools() })]);
  nobody = new Api(server.url);
  const [victim, ...rest] = await Promise.all(Array.from({ length: 6 }, () => register(server.url)));
  ROLES.forEach((role, index) => people.set(role, rest[index]!));
  stranger = rest[4]!;
  const memberId = victim!.userId;
  foreign = { ...(await newTenant(stranger, "theirs", { toolServer: tools.url })), memberId: stranger.userId };
  foreignSlug = (await stranger.get(`/v1/workspaces/${foreign.workspaceId}`)).body.slug as string;
  const read = { ...(await newTenant(as("owner"), "ours", { toolServer: tools.url })), memberId };
  const changing = IN_WORKSPACE.filter(({ method }) => method !== "GET");
  const wanted = [own, ofKeys].flatMap(to => changing.map(served => [to, served] as const));
  // Each is followed for a moment, and one user may follow a hundred at a time.
  for (let from = 0; from < wanted.length; from += TENANTS_AT_A_TIME) {
    const give = async ([to, served]: (typeof wanted)[number]) => {
      const toolServer = served.path.includes("/mcp-servers") ? tools.url : undefined;
      const tenant = await newTenant(as("owner"), "ours", { path: served.path, toolServer });
      to.set(served, { ...tenant, memberId });
    };
    await Promise.all(wanted.slice(from, from + TENANTS_AT_A_TIME).map(give));
  }
  for (const served of IN_WORKSPACE) if (!own.has(served)) own.set(served, read);
  const members = [...new Set([...own.values(), ...ofKeys.values()])].flatMap(({ workspaceId }) => [
    { workspaceId, userId: memberId, role: "viewer" as const },
    ...ROLES.slice(0, 3).map(role => ({ workspaceId, userId: people.get(role)!.userId, role })),
  ]);
  await addMembers(server.dataDir, members);
  foreignKey = await newKey(stranger, foreign.workspaceId, "owner");
  const { body } = await as("owner").post("/v1/workspaces", { name: "Inviting" });
  const invite = await as("owner").post(`/v1/workspaces/${body.id}/invites`, { email: stranger.email });
  invitation = invite.body.token as string;
  const news = await openStream(`${server.url}/v1/notifications/stream`, { token: stranger.token, lastEventId: "0" });
  notificationId = (JSON.parse((await news.next())!.data) as { id: string }).id;
  news.leave();
});
afterAll(() => tools?.close());

const INTERFACE = "../shared/spec/endpoints.json";
if (existsSync(INTERFACE)) {
  const listed = JSON.parse(readFileSync(INTERFACE, "utf8")) as (Omit<Served, "status"> & { success: number })[];

  const compared = SERVED.filter(({ method, path }) => !ADDITIONS.has(`${method} ${path}`));
  test.each(compared)("$method $path matches the interface table", ({ method, path, access, status }) => {
    const found = listed.find(other => other.method === method && other.path === path);
    expect(found).toMatchObject({ access, success: status });
  });
} else {
  test("the interface table is not available here, so the route table is not compared", () => {
    expect(SERVED.length).toBeGreaterThan(0);
  });
}

describe.each(CLOSED)("$method $path", served => {
  it("needs a credential", async () => {
    const ids = own.get(served) ?? foreign;
    const answer = await ask(nobody, served, ids);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });
});

describe.each(IN_WORKSPACE)("$method $path", served => {
  it("answers a person who is not a member as if the workspace did not exist", async () => {
    const ids = own.get(served)!;
    const [here, nowhere] = await Promise.all([
      ask(stranger, served, ids),
      ask(stranger, served, ids, pathOf(served, ids, { wId: uuid() })),
    ]);
    expect([here.status, nowhere.status]).toEqual([404, 404]);
    expect({ ...here.body, requestId: "" }).toEqual({ ...nowhere.body, requestId: "" });
  });

  it("answers an API key of another workspace with not_found", async () => {
    expect((await ask(foreignKey, served, own.get(served)!)).status).toBe(404);
  });

  const inside = pathVariables(served.path).filter(({ name }) => !OF_NOBODY.has(name));
  if (inside.length > 0) {
    it.each(inside)("does not find another tenant's :$name", async ({ name }) => {
      const path = pathOf(served, own.get(served)!, { [name]: idsOf(served, foreign)[name]! });
      const answer = await ask(as("owner"), served, own.get(served)!, path);
      expect(answer.status).toBe(404);
    });
  }

  if (isRole(served.access) && served.access !== "viewer") {
    const needed = served.access;
    const below = ROLES[ROLES.indexOf(needed) - 1]!;
    it.each(["a member", "an API key"])(`refuses %s one role below ${needed}`, async kind => {
      const ids = own.get(served)!;
      const api = kind === "a member" ? as(below) : await newKey(as("owner"), ids.workspaceId, below);
      const answer = await ask(api, served, ids);
      expect(answer).toMatchObject({ status: 403, body: { code: "role_too_low" } });
      expect(answer.body.detail).toContain(needed);
    });
  }

  it.each(["a member", "an API key"])(`lets %s with ${served.access} through with ${served.status}`, async kind => {
    const role = served.access as Role;
    const ids = (kind === "an API key" && ofKeys.get(served)) || own.get(served)!;
    const api = kind === "a member" ? as(role) : await newKey(as("owner"), ids.workspaceId, role);
    if (served.action === "executions.retry") {
      const cancelled = await as("owner").delete(pathOf(served, ids).replace(/\/retry$/, ""));
      expect(cancelled.status).toBe(204);
    }
    if (served.action === "memory.restore") {
      const taken = await as("owner").post(`/v1/workspaces/${ids.workspaceId}/memories/ingest`, {
        content: "I moved to Berlin.",
      });
      expect(taken.body.memoriesUpdated).toBe(1);
    }
    if (served.action === "knowledge.imports.retry") {
      // Only an import that failed, or was cancelled, can be retried.
      const imports = `/v1/workspaces/${ids.workspaceId}/knowledge-bases/${ids.baseId}/entries/import`;
      const { body } = await as("owner").post(imports, { name: "broken.pdf", contentBase64: "bm8gUERG" });
      await until(async () => (await as("owner").get(`${imports}/${body.id}`)).body.status === "failed");
      const answer = await ask(api, served, ids, pathOf(served, { ...ids, importId: body.id as string }));
      return expect(answer.status).toBe(served.status);
    }
    expect((await ask(api, served, ids)).status).toBe(served.status);
  });
});

describe.each(CLOSED.filter(({ access }) => access === "operator"))("$method $path", served => {
  it("refuses the owner of the workspace, and an API key", async () => {
    expect((await ask(stranger, served, foreign)).body.code).toBe("operator_only");
    expect((await ask(foreignKey, served, foreign)).body.code).toBe("api_key_not_allowed");
  });
});

describe("requests without a workspace", () => {
  // A member of several workspaces has to name one to speak the protocol. Sessions and second factors are one's own:
  // browser-sessions.test.ts, factors.test.ts, sso.test.ts, passkeys.test.ts.
  const ofFactors = ["prove", "beginTotp", "confirmTotp", "removeTotp", "renewCodes"].map(name => `factors.${name}`);
  const ofProviders = ["begin", "finish", "remove"].map(name => `providers.${name}`);
  const ofPasskeys = ["begin", "finish", "rename", "remove"].map(name => `passkeys.${name}`);
  const own = ["logout", "removeMe", "sessions.remove", ...ofFactors, ...ofProviders, ...ofPasskeys];
  const apart: string[] = ["mcp", ...own.map(name => `identity.${name}`)];
  it.each(CLOSED.filter(({ access, action }) => access === "user" && !apart.includes(action)))(
    "$method $path accepts everyone who is signed in",
    async served => expect((await ask(stranger, served, foreign)).status).toBe(served.status),
  );

  it.each(CLOSED.filter(({ access }) => access === "user"))(
    "$method $path accepts or rejects API keys as the route table says",
    async served => {
      const answer = await ask(foreignKey, served, foreign);
      if (served.action === "workspaces.list") {
        expect(answer).toMatchObject({ status: 200, body: [{ id: foreign.workspaceId, role: "owner" }] });
      } else if (["mcp", "workflows.nodeTypes", "credentials.types"].includes(served.action)) {
        expect(answer.status).toBe(200);
      } else expect(answer).toMatchObject({ status: 403, body: { code: "api_key_not_allowed" } });
    },
  );

  it("reject the token of an ended session", async () => {
    const leaver = await register(server.url);
    expect((await leaver.post("/v1/auth/logout")).status).toBe(204);
    expect(await leaver.get("/v1/auth/me")).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  });
});

describe("two tenants side by side", () => {
  const PASSES_ON = ["members", "pods", "spaces", "invites", "api-keys"];

  it("do not list items of the other tenant", async () => {
    const ids = { ...(await newTenant(as("owner"), "mine")), memberId: "" };
    const base = `/v1/workspaces/${ids.workspaceId}`;
    const space = `${base}/spaces/${ids.spaceId}`;
    const paths = ["/v1/workspaces", ...PASSES_ON.map(name => `${base}/${name}`), `${space}/workflows`];
    paths.push(`${space}/executions`, `${space}/executions/${ids.executionId}/logs`);
    for (const path of paths) {
      const { status, body } = await as("owner").get(`${path}?limit=200`);
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(body).not.toHaveLength(0);
      for (const id of Object.values(foreign)) expect(JSON.stringify(body)).not.toContain(id);
      expect(JSON.stringify(body)).not.toContain("theirs");
    }
  });

  it("return nothing for a filter with an id of the other tenant", async () => {
    const { workspaceId, spaceId } = await newTenant(as("owner"), "mine");
    const base = `/v1/workspaces/${workspaceId}`;
    const byWorkflow = await as("owner").get(`${base}/spaces/${spaceId}/executions?workflowId=${foreign.workflowId}`);
    expect(byWorkflow).toMatchObject({ status: 200, body: [] });
    const stats = await as("owner").get(`${base}/spaces/${spaceId}/executions/stats?workflowId=${foreign.workflowId}`);
    expect(stats).toMatchObject({ status: 200, body: { total: 0, workflows: [] } });
    expect(await as("owner").get(`${base}/spaces?podId=${foreign.podId}`)).toMatchObject({ status: 200, body: [] });
  });

  it("answer not_found for a body with another tenant's workflow or pod", async () => {
    const { workspaceId, spaceId } = await newTenant(as("owner"), "mine");
    const base = `/v1/workspaces/${workspaceId}`;
    const { workflowId, podId } = foreign;
    expect((await as("owner").post(`${base}/spaces/${spaceId}/executions`, { workflowId })).status).toBe(404);
    expect((await as("owner").post(`${base}/spaces`, { name: "s", podId })).status).toBe(404);
  });

  it("reveal nothing through a cursor of the other tenant", async () => {
    const mine = await newTenant(as("owner"), "mine");
    await as("owner").post(`/v1/workspaces/${mine.workspaceId}/pods`, { name: "second" });
    await stranger.post(`/v1/workspaces/${foreign.workspaceId}/pods`, { name: "theirs too" });
    const first = await stranger.get(`/v1/workspaces/${foreign.workspaceId}/pods?limit=1`);
    const cursor = /cursor=([^&>]+)/.exec(first.headers.get("link") ?? "")?.[1];
    expect(cursor).toBeDefined();
    const { body } = await as("owner").get(`/v1/workspaces/${mine.workspaceId}/pods?cursor=${cursor}`);
    expect(JSON.stringify(body)).not.toContain(foreign.workspaceId);
  });

  it("receive only the events of their own execution in a stream", async () => {
    const mine = await newTenant(as("owner"), "mine");
    const path = ({ workspaceId, spaceId, executionId }: Tenant) =>
      `/v1/workspaces/${workspaceId}/spaces/${spaceId}/executions/${executionId}`;
    const stream = await EventStream.open(as("owner"), path(mine));
    await stream.until("execution.suspended");
    expect((await stranger.patch(`${path(foreign)}/approve`)).status).toBe(200);
    expect((await as("owner").patch(`${path(mine)}/approve`)).status).toBe(200);
    const events = await stream.toEnd();
    expect(events.at(-1)?.event).toBe("execution.completed");
    expect(new Set(events.map(({ data }) => data.executionId))).toEqual(new Set([mine.executionId]));
    expect(events.map(({ data }) => data)).toEqual(await readLog(as("owner"), path(mine)));
  });

  it("reject a removed member at once, in lists too", async () => {
    const { workspaceId } = await newTenant(as("owner"), "mine");
    const guest = await register(server.url);
    await addMembers(server.dataDir, [{ workspaceId, userId: guest.userId, role: "admin" }]);
    const path = `/v1/workspaces/${workspaceId}`;
    expect((await guest.get(path)).status).toBe(200);
    expect((await as("owner").delete(`${path}/members/${guest.userId}`)).status).toBe(204);
    expect((await guest.get(path)).status).toBe(404);
    expect((await guest.get("/v1/workspaces")).body).toEqual([]);
  });

  it("left the data of the other tenant unchanged by these requests", async () => {
    const { workspaceId, podId, spaceId, workflowId, executionId } = foreign;
    const base = `/v1/workspaces/${workspaceId}`;
    const paths = [base, `${base}/pods/${podId}`, `${base}/spaces/${spaceId}`];
    paths.push(
      `${base}/spaces/${spaceId}/workflows/${workflowId}`,
      `${base}/spaces/${spaceId}/executions/${executionId}`,
    );
    const answers = await Promise.all(paths.map(path => stranger.get(path)));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
    expect(answers[0]?.body).toMatchObject({ name: "theirs", role: "owner" });
    expect(answers[3]?.body).toMatchObject({ version: 1, status: "active", starred: false, deployedAt: null });
    expect((await stranger.get(`${base}/members`)).body).toHaveLength(1);
  });
});
