import fc from "fast-check";
import jsonata from "jsonata";
import { setImmediate as nextTurn } from "node:timers/promises";
import { compileTemplates, createExpressions, ExpressionError, type Scope } from "../../adapters/expressions/index.ts";
import { HANG_MS } from "../support/hang.ts";
import { until } from "../support/until.ts";

// On a busy machine an endless expression has its process for longer, and those behind it wait for longer.
const expressions = createExpressions({ timeoutMs: 300, maxWaitMs: HANG_MS });
afterAll(() => expressions.close());

const scope: Scope = {
  input: { a: 1, n: 11, name: "Ada", none: null, items: [{ x: 1 }, { x: 2 }], empty: [], "a-b": { c: [1] } },
  steps: { "node-1": { body: { id: 7 } } },
  index: 0,
};
const resolve = (data: unknown, over: Scope = scope, using = expressions) =>
  using.resolve(compileTemplates(data), over);
const later = (data: unknown, over?: Scope, using?: typeof expressions): Promise<unknown> =>
  new Promise(settle => settle(resolve(data, over, using)));
const failure = async (data: unknown, over?: Scope, using?: typeof expressions): Promise<ExpressionError> => {
  try {
    const value = await later(data, over, using);
    throw new Error(`expected an error, got ${JSON.stringify(value)}`);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
};

const ENDLESS = "{{ ($f := function($x) { $f($x + 1) }; $f(0)) }}";
const BACKTRACKING = `{{ $match("${"a".repeat(40)}!", /^(a+)+$/) }}`;

describe("values", () => {
  test.each<[unknown, unknown]>([
    ["{{ input.a }}", 1],
    ["{{ input.items }}", [{ x: 1 }, { x: 2 }]],
    ["{{ steps.`node-1`.body.id > 5 }}", true],
    ["{{ input.none }}", null],
    ["{{ input.missing }}", null],
    ["n={{ input.n }}, {{ input.missing }}{{ input.none }}", "n=11, null"],
    ["{{ input.a }}{{ input.name }}", "1Ada"],
    [" {{ input.items }}", ' [{"x":1},{"x":2}]'],
    [
      { a: ["{{ index }}", { "{{ key }}": "{{ input.name }}" }], b: 2 },
      { a: [0, { "{{ key }}": "Ada" }], b: 2 },
    ],
    ["plain", "plain"],
    [null, null],
  ])("evaluate %j to %j at once", (data, expected) => expect(resolve(data)).toEqual(expected));

  test.each<[unknown, unknown]>([
    ["{{ input.items.x }}", [1, 2]],
    ["{{ $sum(input.items.x) }} of {{ input.a }}", "3 of 1"],
    ["{{ $map(input.items, function($i) { $i.x * 2 }) }}", [2, 4]],
    ['{{ input ~> |items|{"y": 1}, ["x"]| ~> $lookup("items") }}', [{ y: 1 }, { y: 1 }]],
    [
      { first: "{{ [1..3] }}", then: { deep: ["{{ input.items[x = 2].x }}"] } },
      { first: [1, 2, 3], then: { deep: [2] } },
    ],
    ["{{ input.items[] }}", [{ x: 1 }, { x: 2 }]],
    ['{{ input.empty{"a": 1} }}', { a: 1 }],
    ['{{ [input.empty, [[]]].{"a": 1} }}', { a: 1 }],
    ["{{ $type($millis()) & $type($random()) & $type($now()) }}", "numbernumberstring"],
    ["{{ $keys($$) }}", ["input", "steps", "index"]],
  ])("evaluate %j to %j", async (data, expected) => {
    const before = structuredClone(scope);
    const value = await later(data);
    expect(value).toEqual(expected);
    expect(Object.keys(value as object)).toEqual(Object.keys(expected as object));
    expect(scope).toEqual(before);
  });

  test("are the same from an expression process as from JSONata", async () => {
    const source = fc.constantFrom(
      "$map(input.items, function($i) { $i.x })",
      "input.items^(>x).x",
      "steps.*.body",
      "$each(input, function($v, $k) { $k })",
      "$sift(input, function($v) { $type($v) = 'number' })",
      "$eval('input.a')",
      "**.x",
      "input.items{$string(x): x}",
      "$split(input.name, /d/)",
    );
    await fc.assert(
      fc.asyncProperty(source, async text => {
        const expected: unknown = JSON.parse(JSON.stringify(await jsonata(text).evaluate(structuredClone(scope))));
        expect(await later(`{{ ${text} }}`)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  test("include only the names of the scope", async () => {
    const wider = { ...scope, secret: "s" } as Scope;
    expect(resolve("{{ secret }}", wider)).toBeNull();
    expect(await later("{{ $$.secret }}", wider)).toBeNull();
    expect(await later("{{ $keys() }}", wider)).toEqual(["input", "steps", "index"]);
  });
});

describe("errors", () => {
  test("report the place and JSONata's message", async () => {
    const error = await failure({ headers: [{ value: "{{ input.a > 'x' }}" }] });
    expect(error).toMatchObject({ code: "expression_error", path: "/headers/0/value" });
    expect(error.message).toMatch(/^\/headers\/0\/value: .*same data type.*character \d+/);
  });

  test("prevent a template with faults from being evaluated", async () => {
    expect(await failure("{{ 1 + }}")).toMatchObject({ code: "expression_error" });
  });

  test.each([
    ["{{ $sum }}", /function/],
    ["{{ [$sum] }}", /function/],
    ["{{ function() { 1 } }}", /function/],
    ["{{ input.a / 0 }}", /division by zero/],
    ["{{ $error('mine') }}", /mine/],
  ])("%s", async (data, message) => expect((await failure(data)).message).toMatch(message));

  test("distinguish endless recursion from results that are too deep", async () => {
    const recursion = "{{ ($f := function($x) { 1 + $f($x) }; $f(0)) }}";
    expect((await failure(recursion)).code).toBe("expression_too_deep");
    let deep: unknown = 1;
    for (let i = 0; i < 150; i++) deep = [deep];
    expect((await failure("{{ input }}", { input: deep, steps: {} })).code).toBe("expression_too_deep");
    expect((await failure("x {{ [input, $pad('', 1)] }}", { input: deep, steps: {} })).code).toBe(
      "expression_too_deep",
    );
  });

  test("stop a small template from producing a huge result", async () => {
    const patient = createExpressions({ timeoutMs: 10_000 });
    const large = {
      input: { list: Array.from({ length: 20_000 }, (_, i) => i), text: "x".repeat(1_000_000) },
      steps: {},
    };
    expect(
      (
        await failure(
          Array.from({ length: 900 }, () => "{{ input.list }}"),
          large,
          patient,
        )
      ).message,
    ).toMatch(/too large/);
    expect((await failure("{{ input.text }}".repeat(900), large, patient)).message).toMatch(/too large/);
    expect(
      (await failure(`{{ ${Array.from({ length: 100 }, () => "input.text").join(" & ")} }}`, large, patient)).message,
    ).toMatch(/too large|memory/);
    await patient.close();
  });

  test("include data that is not JSON", async () => {
    const odd = { input: { f: () => 1, list: [1] }, steps: {} };
    expect((await failure("{{ $map(input.list, function($x) { $x }) }}", odd)).message).toMatch(/not JSON/);
  });
});

describe("bounds", () => {
  test.each([
    ["recursion", ENDLESS],
    ["backtracking", BACKTRACKING],
  ])("stop an endless %s with expression_timeout", async (_, data) => {
    expect((await failure({ a: data })).message).toMatch(/^\/a: .*longer than 300 ms/);
  });

  test("keep the event loop, simple expressions and later ones running beside endless expressions", async () => {
    /** Returns how many of them had ended after one turn. The loop must not have waited for them. */
    const besideEndless = async () => {
      const endless = Array.from({ length: 5 }, (_, i) => failure(i % 2 === 0 ? ENDLESS : BACKTRACKING));
      let ended = 0;
      for (const one of endless) void one.then(() => ended++);
      let afterOne = -1;
      for (let turns = 0; turns < 50; turns++) {
        await nextTurn();
        expect(resolve("{{ input.n > 10 }}")).toBe(true);
        expect(await later("{{ $sum(input.items.x) }}")).toBe(3);
        if (turns === 0) afterOne = ended;
      }
      expect(await later("{{ [1..3] }}")).toEqual([1, 2, 3]);
      expect((await Promise.all(endless)).map(error => error.code)).toEqual(Array(5).fill("expression_timeout"));
      return afterOne;
    };
    // On a machine that stands still for a second, they end within any turn.
    let ended = await besideEndless();
    for (let more = 0; more < 2 && ended > 0; more++) ended = await besideEndless();
    expect(ended).toBe(0);
  });

  test.each(["$contains(input.text, input.wanted)", "$spread(input.list)", "input.wide.*"])(
    "keep the event loop running beside a single step that takes long: %s",
    async source => {
      const half = "a".repeat(2_000);
      const list = Array.from({ length: 100_000 }, (_, i) => i);
      const wide = Object.fromEntries(list.map(i => [`k${i}`, [i]]));
      const input = { text: "a".repeat(1_000_000), wanted: `${half}b${half}`, list, wide };
      let hasEnded = false;
      const ended = failure(`{{ ${source} }}`, { input, steps: {} }).finally(() => (hasEnded = true));
      await nextTurn();
      expect(hasEnded).toBe(false);
      expect((await ended).code).toBe("expression_timeout");
    },
  );

  test("move an expression with too many steps from the event loop to a process", async () => {
    const many = { input: { list: Array.from({ length: 5_000 }, (_, i) => ({ x: i })) }, steps: {} };
    const patient = createExpressions({ timeoutMs: 10_000 });
    expect(await later("{{ $count(input.list[x > 9]) }}", many, patient)).toBe(4_990);
    await patient.close();
  });

  test("limit memory", async () => {
    const small = createExpressions({ heapMb: 16, timeoutMs: 20_000, processes: 1 });
    const hog = '{{ ($f := function($s, $l) { $f($s & "x", $append($l, [[1..10000]])) }; $f("x", [])) }}';
    expect((await failure(hog, scope, small)).message).toMatch(/16 MiB/);
    expect(await later("{{ [1..3] }}", scope, small)).toEqual([1, 2, 3]);
    await small.close();
  });

  test("limit the queue, in which workspaces take turns", async () => {
    const one = createExpressions({ processes: 1, maxQueue: 8, timeoutMs: 200 });
    const endless = compileTemplates(ENDLESS);
    const quick = compileTemplates("{{ [1..2] }}");
    const order: string[] = [];
    const start = async (template: typeof endless, group: string) => {
      try {
        await one.resolve(template, scope, { group });
        order.push(group);
      } catch (error) {
        order.push(`${group} ${(error as ExpressionError).code}`);
      }
    };
    // The first one waits for its process to start, with a second: that is the share of one group.
    await Promise.all([start(endless, "a"), start(endless, "a"), start(endless, "a"), start(quick, "b")]);
    expect(order).toEqual(["a expression_busy", "a expression_timeout", "b", "a expression_timeout"]);
    await one.close();
  });

  test("reject a caller that waits too long for a process", async () => {
    const one = createExpressions({ processes: 1, maxWaitMs: 1_000, timeoutMs: 10_000 });
    // Its process is there, so that the first one takes it at once. To start it may take longer than the wait.
    const isThere = () =>
      later("{{ [1..2] }}", scope, one).then(
        () => true,
        () => false,
      );
    await until(isThere);
    const first = failure(ENDLESS, scope, one);
    expect((await failure("{{ [1..2] }}", scope, one)).code).toBe("expression_busy");
    await one.close();
    expect((await first).code).toBe("expression_error");
    expect((await failure("{{ [1..2] }}", scope, one)).message).toMatch(/stopping/);
  });
});

describe("the isolation of expressions", () => {
  test.each([
    "input.constructor",
    "input.__proto__",
    "input.items.constructor",
    "input.name.constructor.prototype",
    "$$.constructor",
    "$lookup(input, 'constructor')",
    "$lookup(input, '__proto__')",
    '$eval("constructor")',
    '$eval("process")',
    "process",
    "globalThis",
    "$process",
    "$sum.implementation",
    "$string($sum.constructor)",
  ])("%s returns nothing", async text => expect(await later(`{{ ${text} }}`)).toBeNull());

  test.each([
    '{} ~> |$|{"__proto__": {"polluted": 1}}|',
    'input ~> |$|{"constructor": {"prototype": {"polluted": 1}}}|',
    '{} ~> |$$.input|{"polluted": 1}|',
    '{} ~> |$sum.$spread().signature|{"polluted": 1}|',
    '{} ~> |$sum.$spread().implementation|{"polluted": 1}|',
    '{} ~> |$sum|{"implementation": function($x) { "taken over" }}|',
    '{} ~> |$sum|{"polluted": 1}|',
    '$merge([{"__proto__": {"polluted": 1}}])',
    '{"__proto__": {"polluted": 1}}',
    "$eval('{} ~> |$sum|{\"implementation\": $count}|')",
  ])("%s has no effect on the next expression", async text => {
    const one = createExpressions({ processes: 1 });
    const before = structuredClone(scope);
    await later(`{{ ${text} }}`, scope, one).catch((error: unknown) => expect(error).toBeInstanceOf(ExpressionError));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(scope).toEqual(before);
    expect(await later("{{ [$sum([1..4]), $string({}.polluted), $sum([]).polluted] }}", scope, one)).toEqual([10]);
    await one.close();
  });

  test("treats data that looks like a function as data", async () => {
    const odd = { input: { _jsonata_lambda: true, thunk: true, body: { type: "string", value: "run" } }, steps: {} };
    expect(resolve("{{ input }}", odd)).toEqual(odd.input);
    expect(resolve("{{ input.thunk }}", odd)).toBeNull();
    expect((await failure("{{ $merge([input]) }}", odd)).code).toBe("expression_error");
  });
});
