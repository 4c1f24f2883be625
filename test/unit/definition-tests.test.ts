import { checkDefinition } from "../../core/graph/check-definition.ts";
import { differencesOf } from "../../core/trial/expect.ts";
import type { TestRunStep } from "../../contracts/entities/test-run.ts";
import { definition, gives } from "../support/definition.ts";

const withTests = (tests: unknown) => checkDefinition({ ...definition([gives("first", 1)]), tests });
const paths = (tests: unknown) => withTests(tests).map(({ path }) => path);

describe("the tests of a definition", () => {
  it("are optional, and need only a name", () => {
    expect(paths([])).toEqual([]);
    const expectation = { output: null, steps: { first: { status: "completed" }, "first[0]": { attempts: 1 } } };
    expect(paths([{ name: "a" }, { name: "b", mocks: { first: { output: null } }, expect: expectation }])).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ["something that is not a list", {}, "/tests"],
    ["a test without a name", [{}], "/tests/0/name"],
    ["an unknown key", [{ name: "a", expected: {} }], "/tests/0/expected"],
    ["real calls", [{ name: "a", calls: "real" }], "/tests/0/calls"],
    ["a mock of a step that does not exist", [{ name: "a", mocks: { frist: { output: 1 } } }], "/tests/0/mocks/frist"],
    [
      "a handle that does not exist",
      [{ name: "a", mocks: { first: { output: 1, handle: "x" } } }],
      "/tests/0/mocks/first",
    ],
    [
      "an expected step that does not exist",
      [{ name: "a", expect: { steps: { "x[0]": {} } } }],
      "/tests/0/expect/steps/x[0]",
    ],
    ["an end that does not exist", [{ name: "a", until: "x" }], "/tests/0/until"],
  ])("reports %s as a fault", (_, tests, path) => {
    expect(paths(tests)).toEqual([path]);
  });

  it("suggests the intended name", () => {
    expect(withTests([{ name: "a", mocks: { frist: { output: 1 } } }])[0]?.message).toContain('"first"');
  });
});

describe("the differences of a test", () => {
  const step: TestRunStep = {
    ...{ nodeId: "get", nodeType: "http", status: "completed", attempts: 1, mocked: true, handle: "out" },
    ...{ input: { url: "u", method: "GET" }, output: { a: [1, 2] }, error: null, log: [], durationMs: 1 },
  };
  const result = { status: "completed", output: { a: 1, b: [1, { c: 2 }] }, error: null, steps: [step] };
  const differing = (wanted: Parameters<typeof differencesOf>[0]) =>
    differencesOf(wanted, result).map(({ path }) => path);

  it("are none if everything is as expected", () => {
    expect(differing({})).toEqual([]);
    expect(differing({ output: { b: [1, { c: 2 }], a: 1 }, steps: { get: { input: { url: "u" } } } })).toEqual([]);
  });

  it("compare outputs exactly, and inputs by the given keys", () => {
    expect(differing({ output: { a: 1 } })).toEqual(["/output/b"]);
    expect(differing({ output: { a: 1, b: [1, { c: 3 }], d: 0 } })).toEqual(["/output/b/1/c", "/output/d"]);
    expect(differing({ output: { a: 1, b: [1] } })).toEqual(["/output/b"]);
    expect(differing({ output: null })).toEqual(["/output"]);
    expect(differing({ steps: { get: { input: { url: "v" }, output: { a: [1] } } } })).toEqual([
      "/steps/get/input/url",
      "/steps/get/output/a",
    ]);
  });

  it("include an unexpected failure, and an expected one that did not happen", () => {
    expect(differing({ status: "failed" })).toEqual(["/status"]);
    expect(differing({ error: "http_status" })).toEqual(["/status", "/error/code"]);
    const failed = { ...result, status: "failed", error: { code: "http_status", message: "" } };
    expect(differencesOf({ error: "http_status" }, failed)).toEqual([]);
    expect(differencesOf({}, failed)).toEqual([{ path: "/status", expected: "completed", actual: "failed" }]);
    expect(differing({ steps: { other: { status: "skipped" } } })).toEqual(["/steps/other/status"]);
  });
});
