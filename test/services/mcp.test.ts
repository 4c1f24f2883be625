import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { v7 as uuid } from "uuid";
import { McpError } from "../../adapters/mcp/mcp-error.ts";
import { type Renew, TokenKeeper } from "../../adapters/mcp/oauth/token-keeper.ts";
import type { McpOAuth, McpTarget } from "../../adapters/mcp/port.ts";
import { servers, tools } from "../../services/mcp/model.ts";
import { fakeTool } from "../support/fake-mcp-clients.ts";
import { McpStage } from "../support/mcp-stage.ts";
import { ownDataDir, refusal, until } from "../support/service-node.ts";

ownDataDir();

const stage = new McpStage();
beforeAll(() => stage.open());
afterAll(() => stage.node.stop());

const inside = stage.workspaceId;
const authOf = (url: string): McpTarget["auth"] => stage.clients.listed.findLast(target => target.url === url)!.auth;
const update = (id: string, change: object) =>
  stage.node.act(stage.owner, "mcp.update", { workspaceId: inside, id, ...change });
const TOKEN = "a-token-that-must-be-seen-nowhere";

describe("a credential", () => {
  const oauth = { refreshToken: "r1", clientId: "c1", clientSecret: "s1", tokenUrl: "https://id.example/token" };
  it.each([
    [
      { authType: "api_key", accessToken: TOKEN },
      { type: "api_key", key: TOKEN },
    ],
    [
      { authType: "bearer", accessToken: TOKEN },
      { type: "bearer", token: TOKEN },
    ],
    [
      { authType: "oauth", accessToken: TOKEN },
      { type: "oauth", accessToken: TOKEN },
    ],
    [
      { authType: "oauth", ...oauth },
      { type: "oauth", ...oauth },
    ],
    [{ authType: "none" }, { type: "none" }],
  ])("is sent as %j says, and never shown", async (given, sent) => {
    const { url } = stage.serve();
    const server = await stage.synced(url, given);
    expect(authOf(url)).toEqual(sent);
    expect(server.hasCredential).toBe(sent.type !== "none");
    expect(JSON.stringify([server, await stage.get(server.id)])).not.toMatch(/a-token|"s1"|"r1"/);
  });

  it.each([
    [{ authType: "bearer" }, "accessToken"],
    [{ authType: "none", accessToken: TOKEN }, "accessToken"],
    [{ authType: "api_key", accessToken: TOKEN, refreshToken: "r" }, "refreshToken"],
    [{ authType: "oauth" }, "accessToken"],
    [{ authType: "oauth", clientId: "c" }, "accessToken"],
    [{ authType: "oauth", accessToken: TOKEN, clientSecret: "s" }, "clientId"],
    [{ authType: "bearer", accessToken: "two words" }, "accessToken"],
    [{ authType: "bearer", accessToken: "a\r\nX-Evil: b" }, "accessToken"],
    [{ url: "ftp://example.com" }, "url"],
    [{ url: "https://name:word@example.com/mcp" }, "url"],
    [{ url: "not an address" }, "url"],
  ])("is rejected if it is of the wrong kind: %j", async (given, path) => {
    await expect(stage.create("https://example.com/mcp", given)).rejects.toMatchObject({
      type: "validation_failed",
      data: { errors: [{ path: `/${path}` }] },
    });
  });

  it("is not sent to another server, even at the same origin, and is kept while the address names the same server", async () => {
    const { url } = stage.serve();
    const { id } = await stage.synced(url, { authType: "bearer", accessToken: TOKEN });
    const refused = { type: "validation_failed", data: { errors: [{ path: "/accessToken" }] } };
    await expect(update(id, { url: stage.serve().url })).rejects.toMatchObject(refused);
    await expect(update(id, { url: url.replace("https", "http") })).rejects.toMatchObject(refused);
    await expect(update(id, { authType: "api_key" })).rejects.toMatchObject(refused);
    for (const near of [`${url}/of/somebody/else`, `${url}?tenant=else`, new URL("/else", url).href])
      await expect(update(id, { url: near })).rejects.toMatchObject(refused);
    const same = `${url.replace("https", "HTTPS").replace(".example/", ".example:443/")}#tools`;
    stage.clients.servers.set(same, stage.clients.servers.get(url)!);
    await update(id, { url: same });
    await stage.sync(id);
    expect(authOf(same)).toEqual({ type: "bearer", token: TOKEN });
    const other = stage.serve();
    const moved = await update(id, { url: other.url, accessToken: "another" });
    expect(moved.hasCredential).toBe(true);
    await stage.sync(id);
    expect(authOf(other.url)).toEqual({ type: "bearer", token: "another" });
    // Calls that run over the sessions of a good server end by themselves.
    expect(stage.clients.forgotten).not.toContain(id);
    const third = stage.serve();
    expect((await update(id, { url: third.url, authType: "none" })).hasCredential).toBe(false);
    await stage.sync(id);
    expect(authOf(third.url)).toEqual({ type: "none" });
  });

  it("is not sent to another token endpoint if it is a client's", async () => {
    const { url } = stage.serve();
    const { id } = await stage.synced(url, { authType: "oauth", ...oauth });
    for (const tokenUrl of ["https://evil.example/token", "https://id.example/realms/evil/token"])
      await expect(update(id, { tokenUrl })).rejects.toMatchObject({ type: "validation_failed" });
    await update(id, { scope: "read", tokenUrl: oauth.tokenUrl });
    await stage.sync(id);
    expect(authOf(url)).toEqual({ type: "oauth", ...oauth, scope: "read" });
  });

  it("keeps its renewed state, unless it was replaced meanwhile", async () => {
    const { url } = stage.serve();
    const { id } = await stage.synced(url, { authType: "oauth", ...oauth });
    const target = stage.clients.listed.findLast(one => one.url === url)!;
    await target.onTokens!({ accessToken: "fresh", refreshToken: "r2", expiresAt: 1_000 });
    await stage.sync(id);
    expect(authOf(url)).toEqual({
      type: "oauth",
      ...oauth,
      refreshToken: "r2",
      accessToken: "fresh",
      expiresAt: 1_000,
    });
    await update(id, { accessToken: "mine" });
    await target.onTokens!({ accessToken: "late", refreshToken: "r3" });
    await stage.sync(id);
    expect(authOf(url)).toMatchObject({ accessToken: "mine" });
  });

  describe("of which a refresh token is good once, and twice ends all of them,", () => {
    /** Who gives tokens; every node asks it by itself. */
    function issuer(first: string) {
      let good: string | null = first;
      let given = 0;
      const renew: Renew = async ({ refreshToken }) => {
        const isGood = refreshToken === good;
        good = null;
        await new Promise(setImmediate);
        if (!isGood) throw new McpError("mcp_unauthorized", "It was used before");
        good = `refresh-${++given}`;
        return { accessToken: `access-${given}`, refreshToken: good };
      };
      return { renew, given: () => given };
    }
    /** The keeper of a node that has just read the server, and its owner there. */
    async function nodeOf(url: string, id: string, renew: Renew) {
      await stage.sync(id);
      const target = stage.clients.listed.findLast(one => one.url === url)!;
      const keeper = new TokenKeeper(target.auth as McpOAuth, renew, Date.now);
      keeper.adopt(target.auth as McpOAuth, target);
      return keeper;
    }
    const given = { authType: "oauth", accessToken: "access-0", refreshToken: "refresh-0" };

    it("is renewed by one node at a time, and the other nodes use its result", async () => {
      const { url } = stage.serve();
      const { id } = await stage.synced(url, given);
      const from = issuer("refresh-0");
      const nodes = [];
      for (let at = 0; at < 4; at++) nodes.push(await nodeOf(url, id, from.renew));
      expect(await Promise.all(nodes.map(node => node.replace("access-0", {})))).toEqual([true, true, true, true]);
      expect(await Promise.all(nodes.map(node => node.token()))).toEqual(Array(4).fill("access-1"));
      expect(from.given()).toBe(1);
      await nodes[3]!.replace("access-1", {});
      await nodes[0]!.replace("access-1", {});
      expect(await nodes[0]!.token()).toBe("access-2");
      await stage.sync(id);
      expect(authOf(url)).toMatchObject({ accessToken: "access-2", refreshToken: "refresh-2" });
    });

    it("is renewed by the next node when a node failed or was killed during it", async () => {
      const { url } = stage.serve();
      const { id } = await stage.synced(url, given);
      const down = new McpError("mcp_unreachable", "It is down");
      const [one, two] = [
        await nodeOf(url, id, () => Promise.reject(down)),
        await nodeOf(url, id, issuer("refresh-0").renew),
      ];
      await expect(one.replace("access-0", {})).rejects.toBe(down);
      const all = stage.service.store.tenant(servers, inside);
      await all.updateOne({ id }, { $set: { renewer: uuid(), renewUntil: new Date(Date.now() - 1) } });
      await two.replace("access-0", {});
      expect(await two.token()).toBe("access-1");
      expect(await all.get({ id })).not.toHaveProperty("renewUntil");
    });
  });

  it("is reported if it can no longer be decrypted, and can be replaced", async () => {
    const { url } = stage.serve();
    const { id } = await stage.synced(url, { authType: "bearer", accessToken: TOKEN });
    const all = stage.service.store.tenant(servers, inside);
    await all.updateOne({ id }, { $set: { credential: "unknown.AAAA" } });
    expect(await stage.sync(id)).toEqual({ toolsSynced: 0, status: "error" });
    expect((await stage.get(id)).lastError).toContain("Enter it again");
    const [tool] = await stage.tools(id);
    await expect(
      stage.node.act(stage.owner, "mcp.tools.call", { workspaceId: inside, toolId: tool!.id }),
    ).rejects.toEqual(refusal("tool_server_refused"));
    await update(id, { accessToken: TOKEN });
    expect(await stage.sync(id)).toMatchObject({ status: "connected" });
  });

  it("appears neither on disk nor in a server's error", async () => {
    const { url, fake } = stage.serve();
    const { id } = await stage.synced(url, { authType: "bearer", accessToken: TOKEN });
    fake.failure = { code: "mcp_unauthorized", message: `401: the token ${TOKEN} is not known` };
    await stage.sync(id);
    expect((await stage.get(id)).lastError).toBe("401: the token ••• is not known");
    const dir = process.env.DATA_DIR!;
    const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter(file => file.isFile());
    const holding = files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(TOKEN));
    expect(holding).toEqual([]);
    // The embedded store is among these files; any other is asked.
    const kept = await stage.service.store.tenant(servers, stage.workspaceId).get({ id });
    expect(kept).toMatchObject({ id });
    expect(JSON.stringify(kept)).not.toContain(TOKEN);
  });
});

describe("tool servers", () => {
  it("of another workspace are not found, nor are their tools", async () => {
    const { url } = stage.serve(["secretive"]);
    const { id } = await stage.synced(url);
    const [tool] = await stage.tools(id);
    const elsewhere = { workspaceId: uuid() };
    const gone = refusal("not_found");
    for (const name of ["mcp.get", "mcp.remove", "mcp.sync", "mcp.changes", "mcp.workflows", "mcp.tools.list"] as const)
      await expect(stage.node.act(stage.owner, name, { ...elsewhere, id })).rejects.toEqual(gone);
    await expect(stage.node.act(stage.owner, "mcp.update", { ...elsewhere, id, name: "x" })).rejects.toEqual(gone);
    for (const name of ["mcp.tools.get", "mcp.tools.call"] as const)
      await expect(stage.node.act(stage.owner, name, { ...elsewhere, toolId: tool!.id })).rejects.toEqual(gone);
    expect((await stage.node.act(stage.owner, "mcp.list", elsewhere)).items).toEqual([]);
    expect(await stage.node.act(stage.owner, "mcp.tools.search", { ...elsewhere, query: "secretive" })).toEqual([]);
    const asked = { ...elsewhere, toolIds: [tool!.id] };
    expect(await stage.node.act(null, "mcp.tools.describe", asked)).toEqual({ tools: [], leftOut: [] });
  });

  it("are described within the size limit of an answer, which says what it omits", async () => {
    const { url, fake } = stage.serve([]);
    fake.tools = Array.from({ length: 12 }, (_, at) => fakeTool(`big${at}`, { description: "x".repeat(60_000) }));
    const { id } = await stage.synced(url);
    const all = stage.service.store.tenant(tools, inside);
    const toolIds = (await all.find({ serverId: id }, { limit: 20 })).items.map(tool => tool.id);
    const first = await stage.node.act(null, "mcp.tools.describe", { workspaceId: inside, toolIds });
    expect(first.tools.length).toBeLessThan(12);
    const rest = await stage.node.act(null, "mcp.tools.describe", { workspaceId: inside, toolIds: first.leftOut });
    expect([...first.tools, ...rest.tools].map(tool => tool.id)).toEqual(toolIds);
    expect(rest.leftOut).toEqual([]);
  });

  it("leave nothing when their workspace is purged", async () => {
    const workspaceId = uuid();
    const { url } = stage.serve(["left"]);
    const { id } = await stage.node.act(stage.owner, "mcp.create", { workspaceId, name: "x", url });
    await stage.node.act(stage.owner, "mcp.sync", { workspaceId, id });
    const found = () => stage.node.act(stage.owner, "mcp.tools.search", { workspaceId, query: "left" });
    expect((await found()).length).toBe(1);
    await stage.node.act(null, "mcp.purge", { workspaceId });
    expect(await found()).toEqual([]);
    expect((await stage.node.act(stage.owner, "mcp.list", { workspaceId })).items).toEqual([]);
    const { hits } = await stage.service.search.tenant("tool", workspaceId).search({ text: "left", limit: 5 });
    expect(hits).toEqual([]);
  });

  it("are limited to 100", async () => {
    const workspaceId = uuid();
    const all = stage.service.store.tenant(servers, workspaceId);
    const [some] = (await stage.service.store.tenant(servers, inside).find({}, { limit: 1 })).items;
    const syncAt = new Date(Date.now() + 600_000);
    await all.insertMany(Array.from({ length: 100 }, () => ({ ...some!, syncAt, workspaceId, id: uuid() })));
    await expect(
      stage.node.act(stage.owner, "mcp.create", { workspaceId, name: "x", url: "https://x.example" }),
    ).rejects.toEqual(refusal("limit_reached"));
  });
});

describe("a search for tools", () => {
  const workspaceId = uuid();
  const find = (query: string, limit = 10) =>
    stage.node.act(stage.owner, "mcp.tools.search", { workspaceId, query, limit });
  const names = async (query: string) => (await find(query)).map(({ name }) => name);
  let id = "";
  beforeAll(async () => {
    const { url, fake } = stage.serve([]);
    const properties = {
      recipientAddress: { type: "string" },
      filter: { type: "object", properties: { dueDate: {} } },
    };
    fake.tools = [
      fakeTool("sendInvoice", { description: "Bills a client", inputSchema: { type: "object", properties } }),
      fakeTool("list_open_tickets", { title: "Pending work", description: "What is still to be done" }),
      fakeTool("ping", { description: "Measures how fast a host answers" }),
    ];
    ({ id } = await stage.node.act(stage.owner, "mcp.create", {
      ...{ workspaceId, name: "Backoffice", url, agents: true },
    }));
    await stage.node.act(stage.owner, "mcp.sync", { workspaceId, id });
  });

  it("finds by the words of names, titles, descriptions, arguments and servers", async () => {
    expect((await names("invoice"))[0]).toBe("sendInvoice");
    expect((await names("open tickets"))[0]).toBe("list_open_tickets");
    expect((await names("pending"))[0]).toBe("list_open_tickets");
    expect((await names("clients"))[0]).toBe("sendInvoice");
    expect((await names("recipient address"))[0]).toBe("sendInvoice");
    expect((await names("due date"))[0]).toBe("sendInvoice");
    expect((await names("backoffice")).sort()).toEqual(["list_open_tickets", "ping", "sendInvoice"]);
    expect((await find("invoice", 1)).length).toBe(1);
  });

  it("combines similarity and words when there are vectors", async () => {
    await until(async () => (await stage.service.search.unembedded("tool", 1)).length === 0);
    const [first] = await find("how fast does the host answer");
    expect(first).toMatchObject({ name: "ping", serverName: "Backoffice", mcpServerId: id });
    expect(first!.score).toBeGreaterThan(0.5);
    // No word of it is there, parts of words are.
    expect((await find("measurement of hosting"))[0]).toMatchObject({ name: "ping" });
    const { tools } = await stage.node.act(null, "mcp.tools.find", { workspaceId, query: "fast host", limit: 2 });
    expect(tools[0]).toMatchObject({ name: "ping" });
    expect(tools[0]).not.toHaveProperty("score");
  });

  it("follows a server that is renamed, and one that is deleted", async () => {
    await stage.node.act(stage.owner, "mcp.update", { workspaceId, id, name: "Zeppelin hangar" });
    const found = await find("zeppelin");
    expect(found.map(({ serverName }) => serverName)).toEqual(Array(3).fill("Zeppelin hangar"));
    expect(await names("backoffice")).not.toContain("x");
    await stage.node.act(stage.owner, "mcp.remove", { workspaceId, id });
    expect(await find("zeppelin")).toEqual([]);
  });
});
