import { type Api, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { readLog } from "../support/follow.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let api: Api;
let space: string;
beforeAll(async () => {
  server = await sharedServer();
  ({ api, space } = await newWorkspace(server.url));
});

const run = (what: unknown, input?: unknown) => runToEnd(api, space, what, input);
const code = (text: string, extra: object = {}) =>
  definition([gives("a", { n: 2 }), node("c", "code", { code: text }, extra)], "a > c");

test("runs JavaScript with the input and the steps, and outputs its return value", async () => {
  const ended = await run(code("const total = {sum: {of: steps.a.n + input.n}}; return total"), { n: 40 });
  expect(ended).toMatchObject({ status: "completed", output: { sum: { of: 42 } } });
});

test("does not evaluate expressions in its code", async () => {
  expect((await run(code("return '{{ input }}'"), 1)).output).toBe("{{ input }}");
});

test("writes its console into the log of the step", async () => {
  const { id } = await run(code("console.log('seen', {a: 1}); console.error('odd'); return 1"));
  const log = await readLog(api, `${space}/executions/${id}`);
  const lines = log.filter(entry => entry.event === "step.log");
  expect(lines).toMatchObject([
    { nodeId: "c", level: "info" },
    { nodeId: "c", level: "error", message: "odd" },
  ]);
  expect(lines[0]?.message).toMatch(/seen.*a.*1/);
});

test.each([
  ["throws", "throw new Error('no')", {}, /no/],
  ["wants the host", "return process.env", {}, /process/],
])("fails the step if the code %s, and keeps what the code logged", async (_what, text, extra, message) => {
  const ended = await run(code(text, extra));
  expect(ended).toMatchObject({ status: "failed", error: { nodeId: "c", message: expect.stringMatching(message) } });
});

test("fails the step with a timeout if the code never ends, and keeps its console output", async () => {
  const { id, ...ended } = await run(code("console.log('before'); for (;;);", { policy: { timeoutMs: 100 } }));
  const message = "The code took longer than 100 ms: look for an endless loop.";
  expect(ended).toMatchObject({ status: "failed", error: { nodeId: "c", code: "step_timeout", message } });
  const log = await readLog(api, `${space}/executions/${id}`);
  expect(log).toContainEqual(expect.objectContaining({ event: "step.log", message: "before" }));
});

test("rejects code with a syntax error before it runs", async () => {
  const ended = await run(code("return ]"));
  expect(ended.error).toMatchObject({
    code: "invalid_definition",
    message: expect.stringMatching(/^The definition cannot run\. Step `c`, field `code`: /),
    faults: [{ nodeId: "c", path: "/nodes/1/data/code" }],
  });
});
