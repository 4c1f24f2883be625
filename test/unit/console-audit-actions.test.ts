import { globSync, readFileSync } from "node:fs";
import { auditKinds } from "../../console/messages/en-audit.ts";
import { actionOf, actionText, auditActions } from "../../console/messages/en-audit-actions.ts";
import { ACTIONS, contractOf } from "../../contracts/actions.ts";
import { ACCOUNT_EVENTS } from "../../contracts/entities/account-event.ts";
import { workspace } from "../../contracts/entities/workspace.ts";
import { resourceOf } from "../../contracts/resource.ts";
import { ROUTES } from "../../contracts/routes.ts";

/** What the middleware can record: changes, and calls that a role does not allow. */
const ofRoutes = ROUTES.filter(({ method, action }) => {
  if (method === "GET" || ACTIONS[action].access === "public") return false;
  return "workspaceId" in ACTIONS[action].input.shape || contractOf(action)?.output === workspace;
}).flatMap(({ action, upload }) => (upload ? [action, upload.begin] : [action]));

const sources = globSync("services/**/*.ts").map(path => readFileSync(path, "utf8"));

/** What services record themselves. */
const ofServices = sources.flatMap(source => {
  const written = [...source.matchAll(/action: "([\w.]+)", resourceType:/g)].map(([, action]) => action!);
  return [...written, ...(source.match(/groups\.role_\w+/g) ?? [])];
});

const ofAccounts = Object.keys(ACCOUNT_EVENTS).map(type => `account.${type}`);

it("describes every action that the audit log can name, and no others", () => {
  expect(ofServices).toEqual(expect.arrayContaining(["workspaces.export", "executions.link.answer"]));
  const recorded = new Set<string>([...ofRoutes, ...ofServices, ...ofAccounts]);
  expect([...auditActions.keys()].sort()).toEqual([...recorded].sort());
});

it("describes no two actions alike, and shows an unknown action by its name", () => {
  expect(new Set(auditActions.values()).size).toBe(auditActions.size);
  expect(actionText("account.signed_in")).toBe("Signed in");
  expect(actionText("made.later")).toBe("made.later");
});

it.each([
  ["workflows.deploy", "workflows.deploy"],
  [" deploy a WORKFLOW ", "workflows.deploy"],
  ["signed in", "account.signed_in"],
  ["wrong password", "account.sign_in_failed"],
  // A newer service may have it.
  ["made.later", "made.later"],
  ["workflow", undefined],
  ["no such thing", undefined],
])("finds the action that “%s” means", (typed, action) => {
  expect(actionOf(typed)).toBe(action);
});

it("describes every kind of resource that entries name, and no others", () => {
  // Some actions have two paths. Entries name the kind by the first.
  const routes = [...new Set(ofRoutes)].flatMap(
    name => ROUTES.find(({ method, action }) => action === name && method !== "GET") ?? [],
  );
  const written = sources.flatMap(source => [...source.matchAll(/resourceType: "([\w-]+)"/g)].map(([, kind]) => kind!));
  const recorded = new Set([...routes.map(route => resourceOf(route).type), ...written]);
  expect([...auditKinds.keys()].sort()).toEqual([...recorded].sort());
});
