import { randomUUID } from "node:crypto";
import { IDENTITY, startGateway, type TestGateway, TOKEN } from "../support/gateway.ts";

const BAD_TOKEN = "a-bad-token";
const verified: string[] = [];
const me = () => ({ id: IDENTITY.userId }) as never;
const start = (config = {}) =>
  startGateway(
    {
      "identity.me": me,
      "identity.login": me,
      "identity.register": me,
      "identity.refresh": me,
      // A token that is an id stands for the user of that id.
      "identity.verify": ({ token }) => {
        verified.push(token);
        if (token === BAD_TOKEN) return null;
        return { ...IDENTITY, userId: token === TOKEN ? IDENTITY.userId : token };
      },
    },
    { RATE_LIMIT_RPS: 1, RATE_LIMIT_BURST: 3, RATE_LIMIT_AUTH_PER_MINUTE: 2, TRUST_PROXY: true, ...config },
  );

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await start();
});
afterAll(() => gateway.broker.stop());

const from = (address: string) => ({ "x-forwarded-for": address });
const login = (address: string, email: string, at = gateway) =>
  at.ask("POST", "/v1/auth/login", { token: null, headers: from(address), body: { email, password: "p" } });
const account = () => `${randomUUID()}@example.com`;

describe("a user", () => {
  it("may send a limited number of requests, and is told how many are left", async () => {
    const token = randomUUID();
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await gateway.ask("GET", "/v1/auth/me", { token }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers.get("ratelimit-remaining"))).toEqual(["2", "1", "0", "0"]);
    expect(answers[0]!.headers.get("ratelimit-limit")).toBe("3");
    expect(Number(answers[3]!.headers.get("ratelimit-reset"))).toBeGreaterThan(1);
    expect(answers[3]!.headers.get("retry-after")).toBe("1");
    expect(answers[3]!.body).toMatchObject({ code: "rate_limited" });
  });

  it("does not use up the limit of another user", async () => {
    for (let i = 0; i < 4; i++) await gateway.ask("GET", "/v1/auth/me", { token: randomUUID() });
    expect(await gateway.ask("GET", "/v1/auth/me", { token: randomUUID() })).toMatchObject({ status: 200 });
  });
});

describe("guessing passwords", () => {
  it("is limited by address over all accounts", async () => {
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await login("192.0.2.1", account())).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect(await login("192.0.2.2", account())).toMatchObject({ status: 200 });
  });

  it("is limited by account over all addresses and spellings", async () => {
    const email = account();
    const spellings = [email, email.toUpperCase(), ` ${email}`];
    const answers = [];
    for (const [i, spelling] of spellings.entries()) answers.push(await login(`198.51.100.${i}`, spelling));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(Number(answers[2]!.headers.get("retry-after"))).toBeGreaterThan(1);
  });

  it("is counted by the address that the proxy reports, not by what the client claims", async () => {
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await login(`10.0.0.${i}, 192.0.2.9`, account())).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it("does not limit other routes", async () => {
    for (let i = 0; i < 3; i++) await login("192.0.2.20", account());
    const refresh = { token: null, headers: from("192.0.2.20"), body: { refreshToken: "r" } };
    expect(await gateway.ask("POST", "/v1/auth/refresh", refresh)).toMatchObject({ status: 200 });
  });
});

describe("a bad token", () => {
  const visit = (address: string, token: string | null) =>
    gateway.ask("GET", "/v1/auth/me", { token, headers: from(address) });

  it("counts against its address, whose tokens are then rejected without verification", async () => {
    verified.length = 0;
    const answers = [];
    for (let i = 0; i < 5; i++) answers.push(await visit("203.0.113.1", BAD_TOKEN));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429]);
    expect(answers[4]).toMatchObject({ body: { code: "rate_limited" } });
    expect(answers[4]!.headers.get("retry-after")).toBe("1");
    expect(verified).toEqual([BAD_TOKEN, BAD_TOKEN, BAD_TOKEN]);
    expect(await visit("203.0.113.2", BAD_TOKEN)).toMatchObject({ status: 401 });
  });

  it("gets the same answer as a missing one", async () => {
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await visit("203.0.113.3", null)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  it("is the only kind of request that counts against an address", async () => {
    for (let i = 0; i < 8; i++) {
      expect(await visit("203.0.113.4", randomUUID())).toMatchObject({ status: 200 });
    }
  });
});

it("does not let a client choose its address without a trusted proxy", async () => {
  const direct = await start({ TRUST_PROXY: false });
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await login(`192.0.2.${i}`, account(), direct)).status);
  await direct.broker.stop();
  expect(statuses).toEqual([200, 200, 429]);
});

it("sends Strict-Transport-Security only through a proxy that ended TLS", async () => {
  const { headers } = await gateway.ask("GET", "/health/live", { headers: { "x-forwarded-proto": "https" } });
  expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d+$/);
});
