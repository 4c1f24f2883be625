import fc from "fast-check";
import { errorCode, type Fault } from "../../contracts/errors.ts";
import { ROUTES } from "../../contracts/routes.ts";
import { completeInput, type Input, pathInput, preferredWaitMs } from "../../services/gateway/request/input.ts";
import { planOf } from "../../services/gateway/request/route-plan.ts";

const plan = (method: string, action: string) =>
  planOf(ROUTES.find(route => route.method === method && route.action === action)!);

const list = plan("GET", "workflows.list");
const update = plan("PATCH", "workflows.update");
const start = plan("POST", "executions.start");
const version = plan("GET", "workflows.version");

type Parts = { search?: string; headers?: Record<string, string>; body?: unknown };
const complete = (of: typeof list, { search = "", headers = {}, body }: Parts): Input =>
  completeInput({}, of, { search, headers, body });

function faultsOf(of: typeof list, parts: Parts): Fault[] {
  try {
    complete(of, parts);
  } catch (error) {
    expect(errorCode(error)).toBe("validation_failed");
    return (error as { data: { errors: Fault[] } }).data.errors;
  }
  return [];
}

describe("path variables", () => {
  const segments = (id: string, number: string) => [
    ..."v1/workspaces/W/spaces/S/workflows".replace("W", id).replace("S", id).split("/"),
    id,
    "versions",
    number,
  ];
  const id = "01980000-0000-7000-8000-000000000001";

  it("become fields, with numbers as numbers", () => {
    expect(pathInput(version.path, segments(id, "12"))).toEqual({ workspaceId: id, spaceId: id, id, version: 12 });
  });

  it.each([
    ["nonsense", "1"],
    [id.toUpperCase().replace("01980000", "0198000A"), "1"],
    [`${id}0`, "1"],
    [id, "x"],
    [id, "-1"],
    [id, "1.0"],
    [id, "1e2"],
    [id, ""],
    [id, "9".repeat(16)],
  ])("are not found if they are invalid: %s, version %s", (wrong, number) => {
    expect(() => pathInput(version.path, segments(wrong, number))).toThrow(
      expect.objectContaining({ type: "not_found" }),
    );
  });
});

describe("the query", () => {
  it("gives each field the type of its contract", () => {
    expect(complete(list, { search: "trashed=true&starred=false&limit=7&cursor=10" })).toEqual({
      trashed: true,
      starred: false,
      limit: 7,
      cursor: "10",
    });
  });

  it.each([
    "trashed=1",
    "trashed=TRUE",
    "trashed=",
    "limit=ten",
    "limit=1.5",
    "limit=0x10",
    "limit=",
    "limit=1e1",
    "limit=%201",
  ])("is rejected with another type: %s", search => {
    expect(faultsOf(list, { search })).toEqual([
      { path: `/${search.split("=")[0]}`, message: expect.stringMatching(/^Expected/) as string },
    ]);
  });

  it.each(["limit=1&limit=1", "trashed=true&trashed=false"])("is rejected if it repeats a key: %s", search => {
    expect(faultsOf(list, { search })).toEqual([{ path: `/${search.split("=")[0]}`, message: "Given more than once" }]);
  });

  it("is rejected with unknown keys, and the error names each, nested ones too", () => {
    const faults = faultsOf(list, { search: "limmit=1&limit[a]=1&spaceId=2&constructor=3&__proto__=4&ifMatch" });
    expect(faults.map(({ path }) => path)).toEqual([
      "/limmit",
      "/limit[a]",
      "/spaceId",
      "/constructor",
      "/__proto__",
      "/ifMatch",
    ]);
  });

  it("is allowed for reads only; elsewhere every key is unknown", () => {
    expect(faultsOf(start, { search: "workflowId=1" })).toEqual([
      { path: "/workflowId", message: "Unknown query parameter" },
    ]);
  });
});

describe("the body", () => {
  it("provides the fields that are in neither path nor header", () => {
    expect(complete(start, { body: { workflowId: "w", input: null } })).toEqual({ workflowId: "w", input: null });
    expect(complete(start, {})).toEqual({});
  });

  it.each([["waitMs"], ["workspaceId"], ["spaceId"], ["id"], ["toString"], ["$meta"]])(
    "cannot set an inherited field: %s",
    name => {
      expect(faultsOf(start, { body: { [name]: 1 } })).toEqual([
        { path: `/${name}`, message: "Unknown field" },
        { path: "/workflowId", message: expect.any(String) as string },
      ]);
    },
  );

  it("is rejected with all of its faults at once, each field once", () => {
    const faults = faultsOf(update, { body: { nmae: "x", name: 7, description: false }, search: "limit=1" });
    expect(faults.map(({ path }) => path)).toEqual(["/limit", "/nmae", "/name", "/description"]);
  });

  it.each([[[]], ["text"], [1], [null], [true]])("is rejected if it is not an object: %j", body => {
    expect(faultsOf(update, { body })).toEqual([{ path: "", message: "Expected a JSON object" }]);
  });

  it("changes no other object, even with keys that name prototypes", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), body => {
        const known = Object.keys(body).every(name => update.body.has(name));
        expect(faultsOf(update, { body }).length === 0).toBe(known);
      }),
    );
  });

  it("is rejected with only a few of very many unknown fields", () => {
    const body = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`f${i}`, 1]));
    expect(faultsOf(update, { body })).toHaveLength(50);
  });
});

describe("headers", () => {
  it("carry If-Match and Prefer if the route accepts them", () => {
    const headers = { "if-match": '"1"', prefer: "wait=5" };
    expect(complete(update, { headers })).toEqual({ ifMatch: '"1"' });
    expect(complete(start, { headers })).toEqual({ waitMs: 5_000 });
    expect(complete(list, { headers })).toEqual({});
  });

  it.each([
    ["wait=0", 0],
    ["wait=60", 60_000],
    ["WAIT = 7", 7_000],
    ['respond-async, wait="10"', 10_000],
    ["wait=10; foo=bar", 10_000],
    ["wait=5, wait=6", 5_000],
    ["wait=61", undefined],
    ["wait=-1", undefined],
    ["wait=1.5", undefined],
    ["wait", undefined],
    ["wait=, wait=5", undefined],
    ["waiting=5", undefined],
    ["", undefined],
  ])("parse Prefer: %s", (header, expected) => {
    expect(preferredWaitMs(header)).toBe(expected);
  });
});

describe("the Location of a created resource", () => {
  it.each([
    ["POST", "workflows.create", "/v1/workspaces/:wId/spaces/:sId/workflows"],
    ["POST", "executions.retry", "/v1/workspaces/:wId/spaces/:sId/executions"],
    ["POST", "pods.create", "/v1/workspaces/:wId/pods"],
    ["POST", "workspaces.create", "/v1/workspaces"],
  ])("follows from the route: %s %s", (method, action, base) => {
    expect(plan(method, action).locationDepth).toBe(base.split("/").length - 1);
  });
});
