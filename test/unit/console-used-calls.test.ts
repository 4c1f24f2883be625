import { usedCalls } from "../../scripts/console/used-calls.ts";

const CALLS = ["executions.list", "executions.listAll", "webhooks.create", "webhooks.update", "identity.browser.token"];
const used = (...sources: string[]) => [...usedCalls(sources, CALLS)].sort();

it("finds calls, also those that continue on the next line", () => {
  expect(used("await weft.executions.list(at, { signal })")).toEqual(["executions.list"]);
  expect(used("renewal ??= anonymous.identity.browser\n    .token({}, OWN_PAGE)")).toEqual(["identity.browser.token"]);
  expect(used("weft.executions\n  .listAll({}).withResponse()")).toEqual(["executions.listAll"]);
});

it("counts all calls of a group that is named alone", () => {
  expect(used("const hooks = weft.webhooks;")).toEqual(["webhooks.create", "webhooks.update"]);
  expect(used("type Given = Parameters<typeof weft.webhooks.create>[0]")).toEqual(["webhooks.create"]);
});

it("leaves out names that are not called", () => {
  expect(used("const weft = 1; other.executions.list()")).toEqual([]);
});
