import type { McpOAuth, McpTarget, McpTokens } from "../../adapters/mcp/port.ts";
import { mcpClients, mcpFailure, mcpServer, SHORT_LIMIT, targetOf } from "../support/mcp-clients.ts";
import type { McpTestServer } from "../support/mcp-server.ts";
import { closeAll } from "../support/outbound.ts";

afterEach(closeAll);

const CLIENT = { clientId: "weft", clientSecret: "the secret of weft: 100%" };
const AUTH = { type: "oauth", ...CLIENT } as const;

/** A target whose owner keeps what it is told. */
function owned(server: McpTestServer, held: Omit<McpOAuth, "type">) {
  const told: McpTokens[] = [];
  const target: McpTarget = {
    ...targetOf(server),
    auth: { type: "oauth", ...held },
    onTokens: tokens => Promise.resolve(void told.push(tokens)),
  };
  return { target, told };
}

const grantTypes = ({ authorization }: McpTestServer) => authorization?.grants.map(grant => grant.grant_type);

test("a token is obtained with client credentials from the endpoint in the server's metadata, and stored before its first use", async () => {
  const server = await mcpServer({ auth: AUTH });
  const { target, told } = owned(server, CLIENT);
  const clients = mcpClients();
  await clients.list(target, SHORT_LIMIT);
  await clients.call(target, "echo", { text: "a" }, SHORT_LIMIT);
  expect(server.authorization?.grants).toEqual([
    { grant_type: "client_credentials", resource: server.url, scope: "tools" },
  ]);
  expect(told).toEqual([{ accessToken: [...server.authorization!.accessTokens][0], expiresAt: expect.any(Number) }]);
});

test("the client secret is sent in the form when the token endpoint accepts it only there, whether or not its metadata say so", async () => {
  for (const withMetadata of [true, false]) {
    const server = await mcpServer({ auth: { ...AUTH, secretInForm: true } });
    const tokenUrl = withMetadata ? undefined : server.authorization?.tokenUrl;
    const { target } = owned(server, { ...CLIENT, tokenUrl, scope: "some" });
    await mcpClients().list(target, SHORT_LIMIT);
    expect(server.authorization?.grants.at(-1)).toMatchObject({
      client_id: "weft",
      client_secret: CLIENT.clientSecret,
      scope: "some",
    });
    expect(server.requests.some(({ path }) => path.includes("well-known"))).toBe(withMetadata);
  }
});

test("a token is used until the server rejects it, then renewed with a refresh token that may rotate", async () => {
  const server = await mcpServer({
    auth: { ...AUTH, accessTokens: ["first-access"], refreshTokens: ["first-refresh"], rotates: true },
  });
  const { target, told } = owned(server, { ...CLIENT, accessToken: "first-access", refreshToken: "first-refresh" });
  const clients = mcpClients();
  await clients.list(target, SHORT_LIMIT);
  expect(grantTypes(server)).toEqual([]);
  server.authorization?.accessTokens.clear();
  await clients.list(target, SHORT_LIMIT);
  expect(server.authorization?.grants[0]).toMatchObject({
    grant_type: "refresh_token",
    refresh_token: "first-refresh",
  });
  expect(told).toHaveLength(1);
  expect(told[0]?.refreshToken).toMatch(/^refresh-/);
  server.authorization?.accessTokens.clear();
  // The owner still comes with what it read before: ours is newer.
  await clients.list(target, SHORT_LIMIT);
  expect(server.authorization?.grants[1]?.refresh_token).toBe(told[0]?.refreshToken);
});

test("a token is renewed once before it expires, for all concurrent calls", async () => {
  const auth = { ...AUTH, accessTokens: ["old-access"], refreshTokens: ["the-refresh"] };
  const server = await mcpServer({ auth });
  let now = 1_000_000;
  const { target, told } = owned(server, {
    ...CLIENT,
    accessToken: "old-access",
    refreshToken: "the-refresh",
    expiresAt: now + 120_000,
  });
  const clients = mcpClients({ now: () => now });
  await clients.list(target, SHORT_LIMIT);
  expect(grantTypes(server)).toEqual([]);
  now += 61_000;
  await Promise.all(Array.from({ length: 8 }, () => clients.call(target, "echo", { text: "a" }, SHORT_LIMIT)));
  expect(grantTypes(server)).toEqual(["refresh_token"]);
  const renewed = { accessToken: expect.stringMatching(/^access-/), expiresAt: now + 3_600_000 };
  expect(told).toEqual([{ ...renewed, refreshToken: "the-refresh" }]);
  expect(server.requests.filter(({ headers }) => headers.authorization === "Bearer old-access")).not.toHaveLength(0);
  expect(server.called("tools/call").every(({ headers }) => headers.authorization !== "Bearer old-access")).toBe(true);
});

test("after a failed renewal, a valid token remains in use and an expired one does not", async () => {
  const server = await mcpServer({ auth: { ...AUTH, accessTokens: ["old-access"], refreshTokens: ["the-refresh"] } });
  server.authorization!.fault = { status: 503, body: "down" };
  let now = 1_000_000;
  const { target } = owned(server, {
    ...CLIENT,
    accessToken: "old-access",
    refreshToken: "the-refresh",
    expiresAt: now + 50_000,
  });
  const clients = mcpClients({ now: () => now });
  await clients.list(target, SHORT_LIMIT);
  await clients.list(target, SHORT_LIMIT);
  expect(grantTypes(server)).toHaveLength(1);
  now += 50_000;
  expect(await mcpFailure(clients.list(target, SHORT_LIMIT))).toMatchObject({
    code: "mcp_unreachable",
    message: expect.stringMatching(/^127\.0\.0\.1:\d+ answered with status 503$/),
  });
});

test("tokens that another node obtained are read from their owner", async () => {
  const server = await mcpServer({ auth: { ...AUTH, accessTokens: ["first-access"] } });
  const clients = mcpClients();
  await clients.list(owned(server, { accessToken: "first-access" }).target, SHORT_LIMIT);
  server.authorization?.accessTokens.clear();
  server.authorization?.accessTokens.add("second-access");
  await clients.list(owned(server, { accessToken: "second-access" }).target, SHORT_LIMIT);
  expect(server.requests.at(-1)?.headers.authorization).toBe("Bearer second-access");
});

test("tokens that could not be stored are not used, and are offered to the owner again", async () => {
  const server = await mcpServer({ auth: AUTH });
  const { target, told } = owned(server, CLIENT);
  const clients = mcpClients();
  const broken = { ...target, onTokens: () => Promise.reject(new Error("the store is down")) };
  expect(await mcpFailure(clients.list(broken, SHORT_LIMIT))).toMatchObject({
    code: "mcp_unauthorized",
    message: "New tokens were received but could not be stored: try again",
  });
  expect(server.called("tools/list")).toHaveLength(0);
  await clients.list(target, SHORT_LIMIT);
  expect(told).toHaveLength(1);
  expect(grantTypes(server)).toHaveLength(1);
});

describe("failed token requests are reported without their secrets", () => {
  const failing = async (held: Omit<McpOAuth, "type">, fault?: { status: number; body: unknown }) => {
    const server = await mcpServer({ auth: AUTH });
    if (fault) server.authorization!.fault = fault;
    const { code, message } = await mcpFailure(mcpClients().list(owned(server, held).target, SHORT_LIMIT));
    return `${code}: ${message.replaceAll(new URL(server.url).host, "HOST")}`;
  };

  test.each([
    [{}, undefined, "mcp_unauthorized: There is no access token, and nothing to obtain one with"],
    [{ accessToken: "an-old-token" }, undefined, "mcp_unauthorized: HOST refused the credential (401)"],
    [
      { accessToken: "an-old-token", expiresAt: 1 },
      undefined,
      "mcp_unauthorized: The access token has expired, and there is nothing to renew it with",
    ],
    [
      { refreshToken: "unknown-refresh", ...CLIENT },
      undefined,
      "mcp_unauthorized: HOST gave no new token: invalid_grant",
    ],
    [
      { clientId: "weft", clientSecret: "another secret" },
      undefined,
      "mcp_unauthorized: HOST gave no new token: invalid_client",
    ],
    [
      CLIENT,
      { status: 400, body: { error: "invalid_scope", error_description: `not for ${CLIENT.clientSecret}\nat all` } },
      "mcp_unauthorized: HOST gave no new token: invalid_scope: not for ••• at all",
    ],
    [CLIENT, { status: 200, body: "<html>" }, "mcp_unauthorized: HOST answered without a usable access token"],
    [
      CLIENT,
      { status: 200, body: { access_token: "two\nlines" } },
      "mcp_unauthorized: HOST answered without a usable access token",
    ],
    [
      CLIENT,
      { status: 200, body: { access_token: "fine-token", token_type: "DPoP" } },
      'mcp_unauthorized: HOST gives tokens of the unknown type "DPoP"',
    ],
    [
      { ...CLIENT, tokenUrl: "http://tokens.example/token" },
      undefined,
      "mcp_refused: The token endpoint is not an https address: credentials are not sent there",
    ],
  ])("%j, %j", async (held, fault, said) => {
    expect(await failing(held, fault)).toBe(said);
  });

  test("when the guard rejects the token endpoint, the error names the rule", async () => {
    const said = await failing({ ...CLIENT, tokenUrl: "https://10.0.0.1/token" });
    expect(said).toContain('mcp_refused: The call is not allowed: "10.0.0.1" is a private address');
  });
});
