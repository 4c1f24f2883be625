import { pickScope, READ_NAMES, type Scope } from "../../core/expressions/scope.ts";
import fc from "fast-check";
import jsonata from "jsonata";
import { UNDECIDED } from "../../core/expressions/fast-evaluator.ts";
import { parseExpression, type ParsedExpression } from "../../core/expressions/parse.ts";
import { plainJson } from "../../core/expressions/plain-json.ts";

const parsed = (source: string): ParsedExpression => {
  const result = parseExpression(source);
  if ("fault" in result) throw new Error(`${source}: ${result.fault}`);
  return result.expression;
};

const keys = ["a", "b", "n-1", "length", "constructor", "__proto__", "_jsonata_lambda"];
const key = fc.constantFrom(...keys);
const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, "", "x", "10", 0, 1, -1, 10, 0.1, 1e21, 1 / 3),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(n => (Object.is(n, -0) ? 0 : n)),
  fc.string({ maxLength: 4 }),
);
const { json } = fc.letrec(tie => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(key, tie("json"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const scope = fc.record(
  { input: json, steps: fc.dictionary(key, json), item: json, index: fc.nat() },
  {
    requiredKeys: ["input", "steps"],
  },
);

const path = fc
  .tuple(
    fc.constantFrom("input", "input", "steps", "item", "index", "workflow", "other"),
    fc.array(fc.tuple(key, fc.constantFrom("", "", "", "[0]", "[-1]", "[1]", "[0][0]")), { maxLength: 3 }),
  )
  .map(([root, steps]) => [root, ...steps.map(([name, index]) => `\`${name}\`${index}`)].join("."));
const literal = fc.oneof(
  fc.constantFrom("null", "true", "false", '""', '"x"', '"["', "0", "1", "10", "-1", "0.1", "1e300", "3"),
  path,
  path,
  path,
);
const operator = fc.constantFrom(
  "+",
  "-",
  "*",
  "/",
  "%",
  "=",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "&",
  "and",
  "or",
  "??",
  "?:",
);
const { source } = fc.letrec<{ source: string }>(tie => ({
  source: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    literal,
    fc.tuple(tie("source"), operator, tie("source")).map(([a, op, b]) => `(${a}) ${op} (${b})`),
    fc.tuple(tie("source"), tie("source"), tie("source")).map(([a, b, c]) => `(${a}) ? (${b}) : (${c})`),
    fc.tuple(tie("source"), tie("source")).map(([a, b]) => `[${a}, ${b}]`),
    fc.tuple(tie("source"), key, tie("source")).map(([a, k, b]) => `{"${k}": ${a}, "z": ${b}}`),
    tie("source").map(a => `-(${a})`),
    tie("source").map(a => `$exists(${a})`),
  ),
}));

const limitless = () => ({ left: Infinity });
const answer = async (expression: string, over: Scope): Promise<{ value: unknown } | { error: true }> => {
  try {
    const value: unknown = await jsonata(expression).evaluate(
      pickScope(structuredClone(over), ["input", "steps", "item", "index"]),
    );
    return { value: plainJson(value, limitless()) };
  } catch {
    return { error: true };
  }
};

test("gives the same results without JSONata as with it", async () => {
  let decided = 0;
  await fc.assert(
    fc.asyncProperty(source, scope, async (text, over) => {
      const { fast } = parsed(text);
      const before = JSON.stringify(over);
      const value = fast ? fast(over) : UNDECIDED;
      expect(JSON.stringify(over)).toBe(before);
      if (value === UNDECIDED) return;
      decided++;
      expect({ value }).toEqual(await answer(text, over));
    }),
    { numRuns: 3_000 },
  );
  expect(decided).toBeGreaterThan(1_000);
});

test.each([
  "input.a",
  "steps.`node-1`.body.items[0].name",
  "input.n > 10",
  'input.a = "x" and steps.b.c != null or index < 3',
  '"Hello " & input.name & "!"',
  "input.n * 2 + 1",
  'input.name ?? "nobody"',
  '{"a": input.a, "list": [1, 2, input.b]}',
  'input.ok ? "yes" : "no"',
])("runs without JSONata: %s", text => {
  const over = {
    input: { a: 1, n: 11, name: "Ada", ok: true },
    steps: { "node-1": { body: { items: [{ name: "x" }] } } },
  };
  expect(parsed(text).fast?.({ ...over, index: 1 })).not.toBe(UNDECIDED);
});

describe("where JSONata runs an expression", () => {
  test.each([
    "input.items.name",
    "$sum(input.items.price)",
    "input.items[price > 3]",
    'input.items.{"id": id}',
    "input.a ~> $uppercase()",
    "$now()",
    "$fromMillis(input.at)",
    '$split(input.names, ",", 2)[0]',
    '$contains(input.text, "needle")',
    'input.text ~> $substringAfter("needle")',
    "input.n > 3 ? $error('Too many') : input.n",
    "$",
  ])("is the event loop: %s", text => expect(parsed(text).lane).toBe("inline"));

  test.each([
    "$map(input.items, function($i) { $i.x })",
    "[1..1000000]",
    "input.a ~> /x/",
    "$match(input.a, /x+/)",
    "$pad(input.a, 1000000000)",
    "input.**",
    '$eval("1")',
    'input ~> |$|{"a": 1}|',
    "input.items[]",
    'input.items{"a": 1}',
    "input.items^(price)",
    "($f := function() { $f() }; $f())",
    "input.items@$i.x",
    "input.items#$i",
    "$join(input.items, input.a)",
    '$now("[Y]")',
    "input.at ~> $fromMillis(input.picture)",
    "$contains(input.text, input.wanted)",
    "input.text.$contains(wanted)",
    "input.text ~> $split(input.wanted, 2)",
    `$substringBefore(input.text, "${"a".repeat(33)}")`,
    "$spread(input)",
    "input.*",
    "input.picture ~> $now()",
    "$fromMillis(input.at, input.picture)",
    "$split(input.a, /x+/)",
    "$sum",
    "input.a ~> $uppercase ~> $trim",
    Array.from({ length: 60 }, () => "$string(input)").join(" & "),
  ])("is a process: %s", text => expect(parsed(text).lane).toBe("process"));
});

describe("the scope that a process receives", () => {
  test.each([
    ["$map(input.items, function($i) { $i.x })", ["input"]],
    ["steps.a.b & item.c", ["steps", "item"]],
    ["$map([1..3], function($i) { $i })", []],
  ])("%s", (text, names) => expect(parsed(text).names).toEqual(names));

  test.each(["$$", "$", "*", "**", '$lookup("input")', '$eval("input")', "$keys()", "function($x)<x-:x>{$x}()"])(
    "%s receives the whole scope",
    text => expect(parsed(text).names).toEqual(READ_NAMES),
  );
});
