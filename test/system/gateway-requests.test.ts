import type { ActionName } from "../../contracts/actions.ts";
import type { Meta } from "../../contracts/call.ts";
import {
  ID,
  IDENTITY,
  OTHER_ID,
  SPACE,
  SPACE_PATH,
  startGateway,
  type Stubs,
  type TestGateway,
  WORKSPACE,
} from "../support/gateway.ts";

interface Call {
  name: ActionName;
  params: unknown;
  meta: Meta;
  requestID: string | null;
}

const calls: Call[] = [];
/** Remembers how it was called, and answers something with an id. */
const recorded = (...names: ActionName[]): Stubs =>
  Object.fromEntries(
    names.map(name => [
      name,
      (params: unknown, { meta, requestID }: { meta: Meta; requestID: string | null }) => {
        calls.push({ name, params, meta, requestID });
        return { id: ID, finishedAt: null };
      },
    ]),
  );

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    ...recorded(
      "executions.start",
      "executions.get",
      "identity.updateMe",
      "identity.login",
      "workflows.version",
      "workflows.deploy",
    ),
    "workflows.list": params => {
      calls.push({ name: "workflows.list", params, meta: {}, requestID: null });
      return { items: [], next: null };
    },
  });
});
afterAll(() => gateway.broker.stop());
beforeEach(() => void calls.splice(0));

describe("the caller", () => {
  it.each([
    ["nothing", null, {}],
    ["a wrong token", "another-token", {}],
    ["a scheme of another kind", null, { authorization: "Basic YTpi" }],
    ["no token", null, { authorization: "Bearer" }],
    ["a token that is far too long", "x".repeat(5_000), {}],
  ])("is rejected if unknown: %s", async (_, token, headers) => {
    const { status, headers: answered, body } = await gateway.ask("GET", "/v1/auth/me", { token, headers });
    expect(status).toBe(401);
    expect(answered.get("www-authenticate")).toBe("Bearer");
    expect(body).toMatchObject({ code: "unauthenticated", status: 401 });
    expect(calls).toEqual([]);
  });

  it("is passed to the action, and nothing else is", async () => {
    const headers = { authorization: "bearer a-good-token", "x-meta": "{}", "x-request-id": "my-request.1" };
    await gateway.ask("PATCH", "/v1/auth/me", { token: null, headers, body: { name: "Ada" } });
    expect(calls).toEqual([
      { name: "identity.updateMe", params: { name: "Ada" }, meta: { identity: IDENTITY }, requestID: "my-request.1" },
    ]);
  });

  it("is ignored for a public route", async () => {
    const { status } = await gateway.ask("POST", "/v1/auth/login", {
      token: "wrong",
      body: { email: "a@b.co", password: "p" },
    });
    expect(status).toBe(200);
    expect(calls[0]).toMatchObject({ meta: {}, params: { email: "a@b.co" } });
  });

  it("learns nothing about other people's workspaces, and needs the role in their own", async () => {
    const stranger = await gateway.ask("GET", SPACE_PATH.replace(WORKSPACE, OTHER_ID) + `/executions/${ID}`);
    expect(stranger).toMatchObject({ status: 404, body: { code: "not_found" } });
    const space = await gateway.ask("GET", SPACE_PATH.replace(SPACE, OTHER_ID) + `/executions/${ID}`);
    expect(space).toMatchObject({ status: 404, body: { code: "not_found" } });
    const role = await gateway.ask("POST", `${SPACE_PATH}/workflows/${ID}/deploy`);
    expect(role).toMatchObject({ status: 403, body: { code: "role_too_low" } });
    expect(calls).toEqual([]);
  });
});

describe("the path", () => {
  it.each([
    "/",
    "/v1",
    "/v1/nothing",
    "/v1/workspaces/x/y/z",
    "/V1/auth/me",
    "/v1/auth/me/x",
    "/v1/%",
    "/gateway/rest",
    "/~node/list",
  ])("is not found: %s", async path => {
    const { status, body, headers } = await gateway.ask("GET", path, { token: null });
    expect({ status, body }).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(headers.get("content-type")).toBe("application/problem+json");
  });

  it.each([
    ["PUT", "/v1/workspaces", "POST, GET, HEAD"],
    ["DELETE", "/v1/auth/login", "POST"],
    ["OPTIONS", "/health/live", "GET, HEAD"],
  ])("does not allow the method: %s %s", async (method, path, allow) => {
    const { status, body, headers } = await gateway.ask(method, path, { token: null });
    expect({ status, body }).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(headers.get("allow")).toBe(allow);
  });

  it("is not found with an invalid id", async () => {
    for (const id of ["abc", ID.toUpperCase().replace("0198", "01AB"), `${ID}%00`]) {
      expect(await gateway.ask("GET", `${SPACE_PATH}/executions/${id}`)).toMatchObject({ status: 404 });
    }
    expect(await gateway.ask("GET", `${SPACE_PATH}/workflows/${ID}/versions/one`)).toMatchObject({ status: 404 });
    expect(calls).toEqual([]);
  });
});

describe("the input", () => {
  it("is read from path, header and body", async () => {
    const { status } = await gateway.ask("POST", `${SPACE_PATH}/executions`, {
      headers: { prefer: "wait=3" },
      body: { workflowId: ID, input: { deep: [1, null] } },
    });
    expect(status).toBe(201);
    expect(calls[0]?.params).toEqual({
      workspaceId: WORKSPACE,
      spaceId: SPACE,
      workflowId: ID,
      input: { deep: [1, null] },
      waitMs: 3_000,
    });
  });

  it("is read from path and query", async () => {
    await gateway.ask("GET", `${SPACE_PATH}/workflows?trashed=true&limit=5`);
    expect(calls[0]?.params).toEqual({
      workspaceId: WORKSPACE,
      spaceId: SPACE,
      trashed: true,
      fields: "all",
      sort: "-createdAt",
      limit: 5,
    });
    await gateway.ask("GET", `${SPACE_PATH}/workflows/${ID}/versions/3`);
    expect(calls[1]?.params).toMatchObject({ version: 3 });
  });

  it("is also checked by the contract", async () => {
    const { status, body } = await gateway.ask("GET", `${SPACE_PATH}/workflows?limit=1000`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "validation_failed", errors: [{ path: "/limit" }] });
  });

  it.each([
    ["GET", `${SPACE_PATH}/workflows?limmit=1&limit=1&limit=2`, undefined, ["/limmit", "/limit"]],
    ["POST", `${SPACE_PATH}/executions?x=1`, { workflowId: ID, wait: 1, spaceId: SPACE }, ["/x", "/wait", "/spaceId"]],
    ["POST", `${SPACE_PATH}/executions`, [], ["", "/workflowId"]],
    ["GET", "/health/live?x=1", undefined, ["/x"]],
  ])("is rejected with unknown fields: %s %s", async (method, path, body, paths) => {
    const answer = await gateway.ask(method, path, { body });
    expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
    expect((answer.body as { errors: { path: string }[] }).errors.map(fault => fault.path)).toEqual(paths);
    expect(calls).toEqual([]);
  });

  it("cannot change a prototype", async () => {
    const body = `{"workflowId":"${ID}","input":{"__proto__":{"polluted":true}}}`;
    const answer = await gateway.ask("POST", `${SPACE_PATH}/executions`, { body });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: "/input/__proto__" }] } });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("a request's id", () => {
  it("is reused if it is valid, in errors too", async () => {
    const { headers, body } = await gateway.ask("GET", "/nowhere", { headers: { "x-request-id": "abc-1.2_3" } });
    expect(headers.get("x-request-id")).toBe("abc-1.2_3");
    expect(body).toMatchObject({ requestId: "abc-1.2_3" });
  });

  it.each(["a b", "x".repeat(129), "<script>", ""])("is generated if it is invalid: %j", async id => {
    const { headers } = await gateway.ask("GET", "/health/live", { headers: { "x-request-id": id } });
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });
});

it("reports an unavailable service without details", async () => {
  const absent = await gateway.ask("GET", "/v1/workspaces");
  expect(absent).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(absent.headers.get("retry-after")).toBe("1");
  expect(absent.text).not.toMatch(/workspaces\.list|Service/);
});
