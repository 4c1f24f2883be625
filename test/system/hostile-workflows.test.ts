import { existsSync, readFileSync } from "node:fs";
import { type Api, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { Prober } from "../support/prober.ts";
import { removeServer, startServer, type Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";
import { until } from "../support/until.ts";

let server: Server;
let endpoint: Endpoint;
let api: Api;
let space: string;
let prober: Prober;
beforeAll(async () => {
  [server, endpoint] = await Promise.all([sharedServer(), startEndpoint()]);
  ({ api, space } = await newWorkspace(server.url));
  prober = new Prober((await newWorkspace(server.url)).api);
});
afterAll(async () => {
  await prober.stop();
  await endpoint.close();
});
function isAlive(pid: number): boolean {
  try {
    // What has ended and was not waited for yet is a zombie.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

const run = (what: unknown, input?: unknown) => runToEnd(api, space, what, input);
const evaluate = (expression: string, input?: unknown) => run(definition([gives("t", `{{ ${expression} }}`)]), input);
const WHY = /^(expression_(timeout|too_deep|error)|output_too_large|invalid_definition)$/;
const aaa = { s: `${"a".repeat(40)}!` };

const HOSTILE: [string, string][] = [
  ["calls itself without end", "($f := function($x){ $f($x + 1) }; $f(1))"],
  ["calls itself and comes back", "($f := function($x){ 1 + $f($x) }; $f(1))"],
  ["doubles its calls", "($g := function($n){ $n > 0 ? $g($n - 1) + $g($n - 1) : 1 }; $g(60))"],
  ["calls another that calls it", "($a := function($n){ $b($n) }; $b := function($n){ $a($n) }; $a(1))"],
  ["loops in loops", "$map([1..100000], function($v){ $map([1..100000], function($w){ $w * $v }) })"],
  ["sums a long range", "$sum([1..9999999])"],
  ["sorts slowly", "$sort([1..9000000], function($l, $r){ $l < $r })"],
  ["makes a long text", "$pad('x', 1000000000)"],
  ["joins a long text", "$join([1..5000000].$string($))"],
  ["doubles a text", "($d := function($s, $n){ $n = 0 ? $s : $d($s & $s, $n - 1) }; $d('xxxxxxxx', 40))"],
  ["nests without end", "($d := function($s, $n){ $n = 0 ? $s : $d([[$s]], $n - 1) }; $d(1, 100000))"],
  ["matches a bad pattern", "$match(input.s, /^(a+)+$/)"],
  ["looks for a bad pattern", "$contains(input.s, /^(a|a)*$/)"],
  ["replaces a bad pattern", "$replace(input.s, /(a*)*b/, 'x')"],
  ["splits by a bad pattern", "$split(input.s, /(.*a){20}$/)"],
  ["evaluates text without end", "$eval('($f := function($x){ $f($x) }; $f(1))')"],
  ["nests its syntax", `${"(".repeat(4_000)}1${")".repeat(4_000)}`],
  ["is very long", `1${" + 1".repeat(6_000)}`],
];

test("fails only the run whose expression uses too much, and evaluates those of other runs", async () => {
  const { api: other, space: otherSpace } = await newWorkspace(server.url);
  const left = [...HOSTILE];
  const failures: Record<string, string> = {};
  // Two at a time: that many processes evaluate.
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [name, expression] = next;
      const { status, error } = await evaluate(expression, aaa);
      failures[name] = status === "failed" ? error.code : status;
      expect(error?.message).not.toMatch(/node_modules|\.ts:\d|\n\s+at /);
    }
  };
  const lanes = Promise.all([lane(), lane()]);
  const theirs = definition([gives("t", "{{ $map(input, function($v){ $v + 1 }) }}")]);
  while (left.length > 0) {
    expect(await runToEnd(other, otherSpace, theirs, [1, 2])).toMatchObject({ status: "completed", output: [2, 3] });
  }
  await lanes;
  const expected = HOSTILE.map(([name]) => [name, expect.stringMatching(WHY) as string]);
  expect(failures).toEqual(Object.fromEntries(expected));
}, 60_000);

const childrenOf = (pid: number) => `/proc/${pid}/task/${pid}/children`;
if (existsSync(childrenOf(process.pid))) {
  test("leaves no expression processes when the service is killed", async () => {
    const doomed = await startServer();
    try {
      const theirs = await newWorkspace(doomed.url);
      const endless = definition([gives("t", "{{ ($f := function($x){ $f($x) }; $f(1)) }}")]);
      const workflowId = await newWorkflow(theirs.api, theirs.space, endless);
      await theirs.api.post(`${theirs.space}/executions`, { workflowId });
      const children = () =>
        readFileSync(childrenOf(doomed.process.pid!), "utf8").split(" ").filter(Boolean).map(Number);
      await until(() => children().length > 0);
      const evaluators = children();
      await doomed.stop("SIGKILL");
      await until(() => evaluators.every(pid => !isAlive(pid)));
    } finally {
      await removeServer(doomed);
    }
  });
} else {
  test("cannot list remaining processes of a service without /proc", () => {
    expect(process.platform).not.toBe("linux");
  });
}

describe("a definition", () => {
  const chain = (length: number) =>
    definition(
      Array.from({ length }, (_, i) => gives(`n${i}`, i)),
      ...Array.from({ length: length - 1 }, (_, i) => `n${i} > n${i + 1}`),
    );
  const wide = (length: number) => definition(Array.from({ length }, (_, i) => gives(`n${i}`, i)));

  it("runs with the maximum number of nodes, in sequence or in parallel", async () => {
    const [long, broad] = await Promise.all([run(chain(2_000)), run(wide(2_000))]);
    expect(long).toMatchObject({ status: "completed", output: 1_999 });
    expect(Object.keys(broad.output as object)).toHaveLength(2_000);
  });

  const cycle = chain(1_000);
  cycle.edges.push({ source: "n999", target: "n0" });
  const dense = wide(150);
  for (let from = 0; from < 150; from++)
    for (let to = from + 1; to < 150; to++) dense.edges.push({ source: `n${from}`, target: `n${to}` });

  it.each<[string, unknown]>([
    ["of more nodes than are allowed", wide(5_000)],
    ["of more edges than are allowed", dense],
    ["with a long cycle", cycle],
    ["with a node that leads to itself", definition([gives("a", 1)], "a > a")],
    ["with thousands of faults", definition(Array.from({ length: 1_900 }, (_, i) => node(`n${i}`, "teleport")))],
    ["with nodes that are none", { nodes: [null, 1, "x", [], {}] }],
    ["with edges that are none", { nodes: [gives("a", 1)], edges: [null, 1, "x", [], {}] }],
    ["with ids that are no text", { nodes: [{ id: 5, type: "trigger" }] }],
    ["with a very long id", { nodes: [node("x".repeat(10_000), "trigger")] }],
  ])("%s fails its run", async (_, what) => {
    const { status, error } = await run(what);
    expect({ status, code: error.code }).toEqual({ status: "failed", code: "invalid_definition" });
    expect(error.faults.length).toBeGreaterThan(0);
    expect(error.faults.length).toBeLessThanOrEqual(100);
  });

  it("can be any JSON, and its faults are reported", async () => {
    for (const what of [0, "text", true, [], [[]], { nodes: 5 }, { nodes: null }]) {
      const id = await newWorkflow(api, space, what);
      const { status, body } = await api.post(`${space}/workflows/${id}/validate`);
      expect(status).toBe(200);
      expect(typeof body.valid).toBe("boolean");
    }
  });
});

describe("names that objects have of themselves", () => {
  const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

  it("can be ids of nodes", async () => {
    const what = definition(
      [...NAMES.map(name => gives(name, `from ${name}`)), node("m", "merge"), gives("end", "{{ steps.toString }}")],
      ...NAMES.map(name => `${name} > m`),
      "m > end",
    );
    expect(await run(what)).toMatchObject({ status: "completed", output: "from toString" });
    const ends = await run(definition(NAMES.map(name => gives(name, `from ${name}`))));
    expect(ends.status).toBe("completed");
    expect(Object.entries(ends.output as object)).toEqual(NAMES.map(name => [name, `from ${name}`]));
  });

  it("are absent unless they are set", async () => {
    for (const name of NAMES) {
      expect(await evaluate(`input.${name}`, {})).toMatchObject({ output: null });
      expect(await evaluate(`steps.${name}.x`, {})).toMatchObject({ output: null });
    }
    expect(await evaluate("$constructor.constructor('return process')()", {})).toMatchObject({ output: null });
    expect(await evaluate("input.__proto__.constructor('return process')()", {})).toMatchObject({ output: null });
  });

  it("do not affect other runs when they are written", async () => {
    const answer = `{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}`;
    const echo = node("echo", "http", { method: "POST", url: `${endpoint.url}/echo`, body: answer });
    await Promise.all([
      run(definition([echo, gives("t", "{{ $merge([steps.echo.body, $eval(steps.echo.body.body)]) }}")], "echo > t")),
      evaluate(`$merge([{"__proto__": {"polluted": "yes"}}])`),
      evaluate(`input ~> |$|{"__proto__": {"polluted": "yes"}}|`, { a: 1 }),
      evaluate(`{"constructor": {"prototype": {"polluted": "yes"}}}`),
      run(definition([node("s", "switch", { value: 1, cases: [{ id: "__proto__", equals: 1 }] })])),
    ]);
    expect(await evaluate("input.polluted", {})).toMatchObject({ status: "completed", output: null });
    expect(await evaluate("$exists(execution.polluted)", {})).toMatchObject({ status: "completed", output: false });
  });
});

test("serves other requests all the time", async () => {
  const answers = await prober.stop();
  expect(answers.length).toBeGreaterThan(10);
  expect(answers.filter(status => status !== 200)).toEqual([]);
});
