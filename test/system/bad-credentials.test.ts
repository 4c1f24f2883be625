import { readFileSync } from "node:fs";
import { join } from "node:path";
import jwt from "jsonwebtoken";
import { v7 as uuid } from "uuid";
import { Api, register } from "../support/api.ts";
import { expectProblem, faultsOf } from "../support/problem.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let api: Api;
beforeAll(async () => {
  server = await sharedServer();
  api = await register(server.url);
});

describe("a bearer token", () => {
  const claimsOf = () => jwt.decode(api.token) as { sub: string; sid: string; exp: number; iss: string; aud: string };
  const key = () => readFileSync(join(server.dataDir, "jwt-secret"), "utf8").trim();
  const without = (claim: "exp" | "sid") => {
    const claims: Partial<ReturnType<typeof claimsOf>> = claimsOf();
    delete claims[claim];
    return claims;
  };
  const now = () => Math.floor(Date.now() / 1_000);
  const flip = (text: string) => (text.startsWith("A") ? "B" : "A") + text.slice(1);
  const unsigned = (header: object, claims: object) =>
    `${[header, claims].map(part => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")}.`;

  it("with the service's key and the right claims is accepted, so the other tokens fail for their own faults", async () => {
    const token = jwt.sign(claimsOf(), key(), { algorithm: "HS256" });
    expect((await api.as(token).get("/v1/auth/me")).status).toBe(200);
  });

  it("is accepted if the sender's clock differs slightly", async () => {
    for (const skew of [{ iat: now() + 4 }, { nbf: now() + 3 }, { exp: now() - 1 }]) {
      const token = jwt.sign({ ...claimsOf(), ...skew }, key(), { algorithm: "HS256" });
      expect((await api.as(token).get("/v1/auth/me")).status).toBe(200);
    }
  });

  it.each<[string, () => string]>([
    ["none", () => ""],
    ["garbage", () => "garbage"],
    ["three parts of garbage", () => "a.b.c"],
    ["very long", () => "x".repeat(5_000)],
    ["unsigned", () => unsigned({ alg: "none", typ: "JWT" }, claimsOf())],
    ["unsigned, in capitals", () => unsigned({ alg: "NONE" }, claimsOf())],
    [
      "signed by another key",
      () => jwt.sign(claimsOf(), "another key that is long enough for it", { algorithm: "HS256" }),
    ],
    ["signed by an empty key", () => jwt.sign(claimsOf(), " ", { algorithm: "HS256" })],
    ["signed by another algorithm", () => jwt.sign(claimsOf(), key(), { algorithm: "HS512" })],
    ["with a changed signature", () => api.token.replace(/[^.]+$/, flip)],
    ["with changed claims", () => api.token.replace(/\.[^.]+\./, part => `.${flip(part.slice(1))}`)],
    ["expired", () => jwt.sign({ ...claimsOf(), exp: now() - 60 }, key())],
    ["not good yet, by more than clocks differ", () => jwt.sign({ ...claimsOf(), nbf: now() + 60 }, key())],
    ["an API key that nobody made", () => `wfk_${"A".repeat(43)}`],
    ["an API key with something behind it", () => `wfk_${"A".repeat(43)}.${api.token}`],
    ["without an end", () => jwt.sign(without("exp"), key())],
    ["for somebody else", () => jwt.sign({ ...claimsOf(), sub: uuid() }, key())],
    ["of a session that is not there", () => jwt.sign({ ...claimsOf(), sid: uuid() }, key())],
    ["of no session", () => jwt.sign(without("sid"), key())],
    ["of a session that is a filter", () => jwt.sign({ ...claimsOf(), sid: { $ne: null } }, key())],
    ["from another issuer", () => jwt.sign({ ...claimsOf(), iss: "other" }, key())],
    ["for another audience", () => jwt.sign({ ...claimsOf(), aud: "other" }, key())],
  ])("is rejected if it is %s", async (_, token) => {
    const answer = await new Api(server.url).get("/v1/auth/me", { authorization: `Bearer ${token()}` });
    expectProblem(answer, 401, "unauthenticated");
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });
});

describe("a sign-in", () => {
  it.each<[object, string]>([
    [{ email: "x", password: "correct horse battery" }, "email"],
    [{ email: "a@b.example", password: "short" }, "password"],
    [{ email: "a@b.example", password: "x".repeat(257) }, "password"],
    [{ email: { $ne: null }, password: "correct horse battery" }, "email"],
    [{ email: "a@b.example", password: { $ne: null } }, "password"],
  ])("is rejected for invalid input: %j", async (body, path) => {
    const answer = await new Api(server.url).post("/v1/auth/register", body);
    expectProblem(answer, 400, "validation_failed");
    expect(faultsOf(answer)).toContain(`/${path}`);
  });

  it("does not reveal which addresses are registered", async () => {
    const { body: me } = await api.get("/v1/auth/me");
    const password = "not the password of it";
    const answers = await Promise.all(
      [me.email as string, "nobody@example.com"].map(email =>
        new Api(server.url).post("/v1/auth/login", { email, password }),
      ),
    );
    for (const answer of answers) expectProblem(answer, 401, "invalid_credentials");
    expect(answers[0]?.body.detail).toBe(answers[1]?.body.detail);
  });

  it("cannot be renewed with an invalid token", async () => {
    for (const refreshToken of ["x", "a.b", api.token, "x".repeat(4_096)]) {
      const answer = await new Api(server.url).post("/v1/auth/refresh", { refreshToken });
      expectProblem(answer, 401, "invalid_refresh_token");
    }
  });
});
