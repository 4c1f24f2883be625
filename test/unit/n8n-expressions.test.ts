import jsonata from "jsonata";
import type { Source } from "../../core/exchange/n8n/flow.ts";
import { jsToJsonata } from "../../core/exchange/n8n/js-to-jsonata.ts";
import { toTemplate } from "../../core/exchange/n8n/parameter.ts";
import { typed } from "../../core/exchange/n8n/typed.ts";
import type { References } from "../../core/exchange/n8n/references.ts";
import { Untranslatable } from "../../core/exchange/n8n/untranslatable.ts";

const json = {
  name: 'Ada Löv"elace',
  email: "ada@example.com",
  age: 36,
  zero: 0,
  empty: "",
  nothing: null,
  yes: true,
  no: false,
  tags: ["a", "b"],
  one: ["only"],
  none: [],
  items: [
    { sku: "x", price: 2.5 },
    { sku: "y", price: 4 },
  ],
  deep: { "first name": "A", list: [{ id: 7 }], and: 1 },
};
const other = { total: 5, currency: "EUR" };
const source = (path: string): Source => ({ jsonata: path, js: path, guard: null, list: false });
const to: References = {
  own: () => source("steps.own"),
  named: name => {
    if (name !== "Other node") throw new Untranslatable(`no ${name}`);
    return source("steps.other");
  },
  hasRun: () => typed("$exists(steps.other)", "boolean", true),
};

/** What n8n would make of an expression. */
function inN8n(expression: string): unknown {
  const item = { json, item: { json } };
  const nodes: Record<string, unknown> = { "Other node": { json: other } };
  const $ = () => ({
    item: { json: other },
    first: () => ({ json: other }),
    last: () => ({ json: other }),
    all: () => [{ json: other }],
    isExecuted: true,
  });
  const $input = { ...item, first: () => item, last: () => item, all: () => [item] };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the fixtures below are what is evaluated
  const run = new Function("$json", "$node", "$", "$input", `return (${expression});`) as (
    ...all: unknown[]
  ) => unknown;
  return run(json, nodes, $, $input);
}

async function here(expression: string): Promise<unknown> {
  const { text } = jsToJsonata(expression, to);
  const value: unknown = await jsonata(text).evaluate({ steps: { own: json, other } });
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

describe("an expression with a counterpart in JSONata", () => {
  it.each([
    "$json",
    "$json.name",
    "$json['name']",
    '$json["deep"]["first name"]',
    "$json.deep.and",
    "$json?.deep?.list?.[0]?.id",
    "$json.items[1].price",
    "$json.tags",
    "$json.one",
    "$json.missing",
    "$input.item.json.age",
    "$input.first().json.name",
    "$input.all()[0].json.age",
    '$node["Other node"].json.total',
    "$('Other node').item.json.currency",
    '$("Other node").first().json.total',
    "$('Other node').last().json",
    "$('Other node').isExecuted",
    "1 + 2 * 3 - -4 % 3",
    "(1 + 2) * 3",
    "$json.age * 2 + 1",
    "10 - 4 - 3",
    "'Hello ' + $json.name + '!'",
    "$json.age + ' years'",
    "`${$json.name} is ${$json.age + 1}, \\`really\\``",
    "``",
    "`a${`b${$json.age}`}`",
    "$json.age /* years */ + 0x10",
    "'a\\'b\\n\\u00e9\\x41'",
    "$json.age > 30 && $json.age <= 36",
    "$json.age < 30 || $json.yes === true",
    "$json.yes === false || $json.no !== true",
    "$json.missing === 'x'",
    "$json.missing !== 'x'",
    "$json.name == 'x'",
    "$json.nothing == null",
    "$json.missing != null",
    "$json.missing == undefined || true".replace("undefined", "null"),
    "!$json.empty",
    "!$json.none",
    "!!$json.deep",
    "!$json.zero",
    "$json.empty || 'fallback'",
    "$json.none || 'fallback'",
    "$json.zero || 5",
    "$json.zero ?? 5",
    "$json.missing ?? 'fallback'",
    "$json.nothing ?? 'fallback'",
    "$json.yes && $json.name",
    "$json.empty && $json.name",
    "$json.age >= 18 ? 'adult' : 'minor'",
    "$json.empty ? 1 : $json.none ? 2 : 3",
    "$json.email.toUpperCase()",
    "$json.email.toLowerCase().toUpperCase()",
    "$json.email.split('@')[1]",
    "$json.tags.includes('b')",
    "$json.tags.includes('c')",
    "$json.email.includes('@example')",
    "$json.email.startsWith('ada')",
    "$json.email.startsWith('bob')",
    "$json.email.endsWith('.com')",
    "$json.email.endsWith('.org')",
    "$json.tags.join(', ')",
    "$json.one.join('-')",
    "$json.tags.length",
    "$json.none.length",
    "$json.email.length",
    "'abc'.length",
    "$json.age.toString()",
    "Math.floor($json.items[0].price)",
    "Math.ceil(2.1) + Math.abs(-3)",
    "Object.keys($json.deep)",
    "encodeURIComponent($json.name)",
    "JSON.stringify($json)",
    "({ a: $json.age, 'b c': [1, 'x', true], d: { e: null } })",
    "[1, $json.age + 1, 'x']",
    "{ total: 1 }".replace("{ total: 1 }", "({ total: $('Other node').item.json.total })"),
  ])("gives the same result: %s", async expression => {
    const wanted = inN8n(expression);
    expect(await here(expression)).toEqual(wanted);
  });

  it("reads the time as n8n does", async () => {
    expect(await here("new Date().toISOString()")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await here("Date.now()")).toBeGreaterThan(1e12);
  });

  it("uses Weft's names of the run and the workflow", () => {
    expect(jsToJsonata("$execution.id", to).text).toBe("execution.id");
    expect(jsToJsonata("$workflow.name", to).text).toBe("workflow.name");
  });
});

describe("an expression without a certain counterpart", () => {
  it.each([
    ["$now.toRelative()", "toRelative"],
    ["$now.toFormat('DDDD')", "DDDD"],
    ["$env.SECRET", "$env"],
    ["$json.a + $json.b", "`+`"],
    ["$json.a == 1", "`==`"],
    ["$json.name.replace('a', 'b')", ".replace(…)"],
    ["$json.name.trim()", ".trim(…)"],
    ["$json.items.map(i => i.sku)", "=>"],
    ["$json[$json.name]", "computed"],
    ["$($json.name).item.json", "computed"],
    ["$('Nobody').item.json.x", "no Nobody"],
    ["$input.item.binary.data", "$input"],
    ["$('Other node').params.url", "(…)"],
    ["$('Other node').all()[1].json.x", "item 1"],
    ["[$json.tags]", "lists"],
    ["JSON.stringify($json.name)", ".stringify(…)"],
    ["Math.round(2.5)", ".round(…)"],
    ["/a/.test($json.name)", "`/a/`"],
    ["typeof $json.x", "typeof"],
    ["await x", "await"],
    ["$json.a = 1", "`=`"],
    ["$json.a, 1", "more than one"],
    ["$json.a $json.b", "more than one"],
    ["$json.a) + (1", "more than one"],
    ["$json.", "syntax error"],
    ["'abc", "syntax error"],
    ["", "empty"],
    ["import('node:fs')", "`import`"],
    ["new Date(...$json.tags)", "`...`"],
    ["{ ...$json }", "keys and values"],
    ["{ a }", "keys and values"],
    ["{ ['a']: 1 }", "keys and values"],
    ["{ 1: 1 }", "a name or a text"],
    ["[1,,2]", "gaps"],
    ["2 ** 3", "`**`"],
    ["+$json.age", "`+`"],
    ["10n", "`10n`"],
    ["String.raw`a`", "TaggedTemplateExpression"],
    ["$json['a`b']", "backtick"],
    ["$json[-1]", "computed"],
    [`${"(".repeat(4_000)}1${")".repeat(4_000)}`, "deeply"],
    [`${"!".repeat(9_000)}1`, "deeply"],
    ["1+".repeat(6_000), "10000 characters"],
    [`$json.a${" || $json.b".repeat(200)}`, "too long"],
  ])("is rejected by name: %s", (expression, reason) => {
    expect(() => jsToJsonata(expression, to)).toThrow(Untranslatable);
    expect(() => jsToJsonata(expression, to)).toThrow(reason);
  });
});

describe("a parameter", () => {
  it.each<[unknown, unknown]>([
    ["plain text", "plain text"],
    ["no {{ expression }} of n8n", 'no {{ "{{" }} expression }} of n8n'],
    ["={{ $json.name }}", "{{ steps.own.name }}"],
    ["=Hello {{ $json.name }}, {{ 1 + 1 }}!", "Hello {{ steps.own.name }}, {{ 1 + 1 }}!"],
    ["=no braces", "no braces"],
    ["={{ 'text' }}", "text"],
    [5, 5],
    [{ a: ["={{ $json.x }}", null] }, { a: ["{{ steps.own.x }}", null] }],
  ])("%j becomes %j", (value, template) => {
    expect(toTemplate(value, to)).toEqual(template);
  });
});
