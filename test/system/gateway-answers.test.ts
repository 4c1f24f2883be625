import { Errors } from "moleculer";
import { type Workflow, workflowEtag } from "../../contracts/entities/workflow.ts";
import { ACTIONS } from "../../contracts/actions.ts";
import { AppError } from "../../contracts/errors.ts";
import {
  ID,
  IDENTITY,
  refusing,
  SPACE,
  SPACE_PATH,
  startGateway,
  type TestGateway,
  WORKSPACE,
} from "../support/gateway.ts";

const at = "2026-01-02T03:04:05.678Z";
const workflow: Workflow = {
  id: ID,
  workspaceId: WORKSPACE,
  spaceId: SPACE,
  name: "n",
  description: "",
  definition: null,
  status: "active",
  starred: false,
  version: 2,
  deployedAt: null,
  deployedVersion: null,
  createdBy: IDENTITY.userId,
  createdAt: at,
  updatedAt: at,
  trashedAt: null,
};

const failures: Record<string, () => Error> = {
  ours: () => new AppError("slug_taken", { detail: "Taken.", errors: [{ path: "slug", message: "taken" }] }),
  remote: () =>
    Object.assign(new Error("class lost"), { type: "not_found", code: 404, data: { detail: "No such thing." } }),
  limited: () => new AppError("rate_limited", { retryAfterSeconds: 9 }),
  timeout: () => new Errors.RequestTimeoutError({ action: "secret.action", nodeID: "node-7" }),
  full: () => new Errors.QueueIsFullError({ action: "secret.action", nodeID: "node-7" }),
  rejected: () => new Errors.RequestRejectedError({ action: "secret.action", nodeID: "node-7" }),
  type: () => new TypeError("Cannot read properties of secret"),
  status: () => Object.assign(new Error("secret"), { code: 418, statusCode: 418, type: "TEAPOT" }),
  nothing: () => undefined as unknown as Error,
};

let gateway: TestGateway;
const seen: unknown[] = [];
beforeAll(async () => {
  gateway = await startGateway({
    "workflows.create": () => workflow,
    "workflows.get": () => workflow,
    "workflows.update": ({ ifMatch }) => {
      seen.push(ifMatch);
      return { ...workflow, version: 3 };
    },
    "workflows.remove": () => null,
    "workflows.list": ({ cursor }) => ({ items: [workflow], next: cursor ? null : "a.b_c" }),
    "executions.retry": () => ({ id: ID }) as never,
    "workspaces.update": ({ name }) => {
      throw failures[name ?? ""]!();
    },
    "workspaces.roleOf": () => ({ role: "owner" }),
  });
});
afterAll(() => gateway.broker.stop());

const WORKFLOW = `${SPACE_PATH}/workflows/${ID}`;

describe("an answer", () => {
  it("is JSON with the status of its route", async () => {
    const { status, headers, body } = await gateway.ask("GET", WORKFLOW);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(body).toEqual(workflow);
  });

  it("has the headers that protect browsers, and is not cached", async () => {
    for (const path of [WORKFLOW, "/nowhere", "/openapi.json", "/health/live"]) {
      const { headers } = await gateway.ask("GET", path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-powered-by")).toBeNull();
      expect(headers.get("strict-transport-security")).toBeNull();
    }
  });

  it("has the Location of the new resource after a creation", async () => {
    const created = await gateway.ask("POST", `${SPACE_PATH}/workflows/`, { body: { name: "n" } });
    expect(created.status).toBe(201);
    expect(created.headers.get("location")).toBe(WORKFLOW);
    const retried = await gateway.ask("POST", `${SPACE_PATH}/executions/${IDENTITY.userId}/retry`);
    expect(retried.headers.get("location")).toBe(`${SPACE_PATH}/executions/${ID}`);
  });

  it("is empty after a removal", async () => {
    const { status, text, headers } = await gateway.ask("DELETE", WORKFLOW);
    expect({ status, text }).toEqual({ status: 204, text: "" });
    expect(headers.get("content-type")).toBeNull();
  });

  it("to HEAD has only the headers of GET", async () => {
    const [head, get] = await Promise.all(["HEAD", "GET"].map(method => gateway.ask(method, WORKFLOW, {})));
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head!.headers.get("content-length")).toBe(get!.headers.get("content-length"));
  });
});

describe("a list", () => {
  it("is an array, with a link to its next page", async () => {
    const { body, headers } = await gateway.ask("GET", `${SPACE_PATH}/workflows?limit=1&trashed=false`);
    expect(body).toEqual([workflow]);
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(headers.get("link")!)!;
    expect(next).toBe(`${SPACE_PATH}/workflows?limit=1&trashed=false&cursor=a.b_c`);
    const last = await gateway.ask("GET", next!);
    expect(last.status).toBe(200);
    expect(last.headers.get("link")).toBeNull();
  });
});

describe("an entity tag", () => {
  it("identifies a state of a workflow", async () => {
    const created = await gateway.ask("POST", `${SPACE_PATH}/workflows`, { body: { name: "n" } });
    const read = await gateway.ask("GET", WORKFLOW);
    const changed = await gateway.ask("PATCH", WORKFLOW, { body: {}, headers: { "if-match": '"1", "2"' } });
    expect(read.headers.get("etag")).toBe(workflowEtag(workflow));
    expect(created.headers.get("etag")).toBe(workflowEtag(workflow));
    expect(changed.headers.get("etag")).toBe(workflowEtag({ ...workflow, version: 3 }));
    expect(seen).toEqual(['"1", "2"']);
  });

  it("gets 304 if the client already has that state", async () => {
    const etag = workflowEtag(workflow);
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const answer = await gateway.ask("GET", WORKFLOW, { headers: { "if-none-match": header } });
      expect(answer).toMatchObject({ status: 304, text: "" });
      expect(answer.headers.get("etag")).toBe(etag);
    }
    expect(await gateway.ask("GET", WORKFLOW, { headers: { "if-none-match": '"x"' } })).toMatchObject({ status: 200 });
  });
});

describe("an error", () => {
  const fail = (name: string) => gateway.ask("PATCH", `/v1/workspaces/${WORKSPACE}`, { body: { name } });

  it("is a problem document", async () => {
    const { status, headers, body } = await fail("ours");
    expect(status).toBe(409);
    expect(headers.get("content-type")).toBe("application/problem+json");
    expect(body).toEqual({
      type: "/docs#error-slug_taken",
      title: "The slug is already in use",
      status: 409,
      detail: "Taken.",
      code: "slug_taken",
      requestId: headers.get("x-request-id"),
      errors: [{ path: "slug", message: "taken" }],
    });
  });

  it("has its own type, wherever it was thrown", async () => {
    expect(await fail("remote")).toMatchObject({ status: 404, body: { code: "not_found", detail: "No such thing." } });
  });

  it("says when to retry", async () => {
    const { status, headers } = await fail("limited");
    expect({ status, after: headers.get("retry-after") }).toEqual({ status: 429, after: "9" });
  });

  it.each(["timeout", "full", "rejected"])("is 503 if a service cannot be reached: %s", async name => {
    const { status, headers, text, body } = await fail(name);
    expect({ status, after: headers.get("retry-after") }).toEqual({ status: 503, after: "1" });
    expect(body).toMatchObject({ code: "unavailable" });
    expect(text).not.toMatch(/secret|node-7/);
  });

  it.each(["type", "status", "nothing"])("is 500 without details if it is unexpected: %s", async name => {
    const { status, text, body } = await fail(name);
    expect({ status, body }).toMatchObject({ status: 500, body: { code: "internal_error" } });
    expect(text).not.toMatch(/secret|stack|TypeError|TEAPOT/);
  });
});

describe("the status routes of the gateway", () => {
  const NAMES = [...new Set(Object.keys(ACTIONS).map(name => name.slice(0, name.indexOf("."))))];
  const statesOf = (isUp: (name: string) => boolean) =>
    Object.fromEntries(NAMES.map(name => [name, isUp(name) ? "ok" : "down"]));

  it("live answers 200", async () => {
    expect(await gateway.ask("GET", "/health/live", { token: null })).toMatchObject({
      status: 200,
      body: { status: "ok" },
    });
  });

  it("ready lists the parts that it needs", async () => {
    const whole = await startGateway({
      ...refusing(),
      "identity.proveStore": () => null,
      "files.state": () => ({ store: "folder", state: "ok" }),
    });
    const { status, body } = await whole.ask("GET", "/health/ready", { token: null });
    await whole.broker.stop();
    expect(status).toBe(200);
    const services = statesOf(() => true);
    expect(body).toEqual({ status: "ok", dependencies: { store: "ok", files: "ok", services } });
  });

  it("describe the API for programs and people", async () => {
    const document = await gateway.ask("GET", "/openapi.json", { token: null });
    expect(document).toMatchObject({ status: 200, body: { openapi: "3.1.0" } });
    const page = await gateway.ask("GET", "/docs", { token: null });
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.text).toContain('id="error-not_found"');
  });

  it("ready lists missing parts", async () => {
    const alone = await startGateway({
      "identity.users": () => {
        throw new AppError("unavailable");
      },
    });
    const { status, body } = await alone.ask("GET", "/health/ready", { token: null });
    await alone.broker.stop();
    expect(status).toBe(503);
    const here = new Set(["identity", "workspaces", "pods", "audit"]);
    const services = statesOf(name => here.has(name));
    expect(body).toEqual({ status: "down", dependencies: { store: "down", services } });
  });
});
