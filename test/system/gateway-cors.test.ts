import { startGateway, type TestGateway } from "../support/gateway.ts";

const ORIGIN = "https://app.example.com";
const preflight = { "access-control-request-method": "PATCH", "access-control-request-headers": "authorization" };

describe.each([
  ["no origin", [], "https://app.example.com", null],
  ["some origins", [ORIGIN], ORIGIN, ORIGIN],
  ["some origins, from another", [ORIGIN], "https://evil.example.com", null],
  ["every origin", ["*"], "https://any.example.com", "*"],
])("allowing %s", (_, CORS_ORIGINS, origin, allowed) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({}, { CORS_ORIGINS });
  });
  afterAll(() => gateway.broker.stop());

  it("answers a preflight before any other check", async () => {
    const headers = { origin, ...preflight };
    const answer = await gateway.ask("OPTIONS", "/v1/anything", { token: null, headers });
    expect(answer.headers.get("access-control-allow-origin")).toBe(allowed);
    if (allowed === null) {
      expect(answer).toMatchObject({ status: 403, body: { code: "origin_not_allowed" } });
    } else {
      expect(answer).toMatchObject({ status: 204, text: "" });
      expect(answer.headers.get("access-control-allow-methods")).toContain("PATCH");
      expect(answer.headers.get("access-control-allow-headers")).toBe(
        "Authorization, Content-Disposition, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Prefer, X-Request-Id",
      );
    }
  });

  it("tells pages which headers they may read, also in errors", async () => {
    for (const path of ["/health/live", "/nowhere", "/v1/auth/me"]) {
      const { headers } = await gateway.ask("GET", path, { token: null, headers: { origin } });
      expect(headers.get("access-control-allow-origin")).toBe(allowed);
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      expect(headers.get("vary")).toBe(allowed === "*" ? null : "Origin");
      for (const name of ["ETag", "Idempotent-Replayed", "Link", "Location", "X-Request-Id", "Retry-After"]) {
        expect((headers.get("access-control-expose-headers") ?? "").includes(name)).toBe(allowed !== null);
      }
    }
  });

  it("serves a simple request from any origin", async () => {
    expect(await gateway.ask("GET", "/health/live", { headers: { origin } })).toMatchObject({ status: 200 });
  });
});
