import { z } from "zod";
import { ACTIONS } from "../../contracts/actions.ts";
import { readerOf, resourceOf } from "../../contracts/resource.ts";
import { type Route, ROUTES } from "../../contracts/routes.ts";

const routeOf = (method: string, action: string): Route => {
  const found = ROUTES.find(route => route.method === method && route.action === action);
  if (!found) throw new Error(`${method} ${action} is not a route.`);
  return found;
};

describe("the resource of a route", () => {
  it.each([
    ["POST", "workspaces.create", "workspace", null],
    ["PATCH", "workspaces.update", "workspace", "workspaceId"],
    ["PATCH", "workspaces.updateMember", "member", "userId"],
    ["POST", "pods.create", "pod", null],
    ["DELETE", "pods.spaces.remove", "space", "spaceId"],
    ["POST", "workflows.create", "workflow", null],
    ["POST", "workflows.deploy", "workflow", "id"],
    ["PATCH", "executions.respond", "execution", "id"],
    ["POST", "executions.retry", "execution", "id"],
  ])("%s %s: a %s", (method, action, type, field) => {
    expect(resourceOf(routeOf(method, action))).toEqual({ type, field });
  });

  it("is known for every route that changes something", () => {
    const unknown = ROUTES.filter(({ method }) => method !== "GET").filter(route => resourceOf(route).type === "");
    expect(unknown).toEqual([]);
  });
});

it("makes every list a page, because the client takes any array for one", () => {
  const bare = ROUTES.filter(({ method, action }) => method === "GET" && ACTIONS[action].output instanceof z.ZodArray);
  expect(bare.map(({ action }) => action)).toEqual([]);
});

describe("the route that reads a created resource", () => {
  it.each([
    ["workspaces.create", "workspaces.get", ["workspaceId"]],
    ["pods.create", "pods.get", ["workspaceId", "podId"]],
    ["pods.spaces.create", "pods.spaces.get", ["workspaceId", "spaceId"]],
    ["workflows.create", "workflows.get", ["workspaceId", "spaceId", "id"]],
    ["executions.start", "executions.get", ["workspaceId", "spaceId", "id"]],
  ])("%s: %s", (creates, action, fields) => {
    expect(readerOf(routeOf("POST", creates))).toEqual({ action, fields });
  });

  it("is unknown if no route returns the same resource", () => {
    expect(readerOf(routeOf("POST", "identity.register"))).toBeUndefined();
    expect(readerOf(routeOf("GET", "workflows.list"))).toBeUndefined();
  });
});
