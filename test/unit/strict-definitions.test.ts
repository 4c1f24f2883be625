import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ownFunctions } from "../../adapters/expressions/own-functions.ts";
import { FUNCTIONS } from "../../core/expressions/functions.ts";
import { referencesOf } from "../../core/expressions/references.ts";
import { parseExpression } from "../../core/expressions/parse.ts";
import type { SyntaxNode } from "../../core/expressions/syntax.ts";
import { checkDefinition as check, errorsIn } from "../../core/graph/check-definition.ts";
import { parseDefinition } from "../../core/graph/parse-definition.ts";
import { definition, gives, node } from "../support/definition.ts";

/** The errors, without their severity. */
const checkDefinition = (what: unknown) => errorsIn(check(what)).map(({ severity: _, ...fault }) => fault);
const paths = (what: unknown) => checkDefinition(what).map(({ path }) => path);
const messages = (what: unknown) => checkDefinition(what).map(({ message }) => message);

describe("an unknown key", () => {
  it.each<[string, object, string]>([
    ["http.json", node("a", "http", { url: "https://example.com", json: {} }), "/nodes/0/data/json"],
    ["agent.history", node("a", "agent", { goal: "x", history: [] }), "/nodes/0/data/history"],
    ["agent.memory.scop", node("a", "agent", { goal: "x", memory: { scop: "user" } }), "/nodes/0/data/memory/scop"],
    ["llm.stream", node("a", "llm", { prompt: "x", stream: true }), "/nodes/0/data/stream"],
    [
      "llm.messages.0.name",
      node("a", "llm", { messages: [{ role: "user", content: "x", name: "y" }] }),
      "/nodes/0/data/messages/0/name",
    ],
    ["code.language", node("a", "code", { code: "return 1", language: "python" }), "/nodes/0/data/language"],
    ["trigger.cronExpr", node("a", "trigger", { cronExpr: "* * * * *" }), "/nodes/0/data/cronExpr"],
    [
      "switch.cases.0.equal",
      node("a", "switch", { value: 1, cases: [{ id: "x", equals: 1, equal: 1 }] }),
      "/nodes/0/data/cases/0/equal",
    ],
    [
      "memory.content of a search",
      node("a", "memory", { action: "search", query: "x", content: "x" }),
      "/nodes/0/data/content",
    ],
    ["policy.retries", { ...gives("a", 1), policy: { retries: 3 } }, "/nodes/0/policy/retries"],
    ["policy.retry.max", { ...gives("a", 1), policy: { retry: { max: 3 } } }, "/nodes/0/policy/retry/max"],
    ["a policy's key beside it", { ...gives("a", 1), onError: "continue" }, "/nodes/0/onError"],
    ["data's key beside it", { id: "a", type: "http", url: "x", data: { url: "https://example.com" } }, "/nodes/0/url"],
    ["a misspelt key", { ...gives("a", 1), disabeld: true }, "/nodes/0/disabeld"],
    ["a key with a slash", node("a", "http", { url: "https://example.com", "a/b~": 1 }), "/nodes/0/data/a~1b~0"],
  ])("is a fault: %s", (_, one, path) => {
    expect(paths(definition([one]))).toEqual([path]);
    // What is stored already goes on running.
    expect(parseDefinition(definition([one])).faults).toBeUndefined();
  });

  it("is a fault in an edge, in the settings and at the top, with the intended key", () => {
    const what = { ...definition([gives("a", 1), gives("b", 1)]), settings: { timeout: 1, limit: 2 }, setings: {} };
    const edges = [{ source: "a", target: "b", sourcehandle: "out" }];
    expect(paths({ ...what, edges })).toEqual(["/settings/timeout", "/settings/limit", "/edges/0/sourcehandle"]);
    expect(paths({ ...definition([]), setings: {} })).toEqual(["/setings"]);
  });

  it("is reported with the known keys, and the intended one", () => {
    expect(messages(definition([node("a", "http", { url: "https://example.com", header: {} })]))).toEqual([
      'Unknown key `header`. Did you mean "headers"? Known keys: method, url, headers, query, body, failOnStatus, credential, bodyType, response, retryOn, followRedirects, maxResponseBytes, pagination.',
    ]);
  });

  it("is no fault where a builder or a person stores it", () => {
    const builder = { position: { x: 1, y: 2 }, width: 3, measured: {}, selected: true, style: {}, note: "x" };
    const one = { ...node("a", "trigger", { label: "Start", example: { any: 1 } }), ...builder };
    const free = node("b", "http", {
      url: "https://example.com",
      headers: { "x-any": "1" },
      body: { any: { thing: 1 } },
    });
    expect(checkDefinition({ ...definition([one, free], "a > b"), viewport: { x: 0 }, notes: [] })).toEqual([]);
  });
});

describe("the pages of a call", () => {
  const paged = (pagination: unknown) => definition([node("a", "http", { url: "https://example.com", pagination })]);
  const usual = { next: { url: "{{ response.body.next }}" }, items: "{{ response.body.items }}" };

  it("reject an expression where it would not be evaluated", () => {
    expect(paths(paged({ ...usual, maxPages: "{{ input.most }}", delayMs: 5 }))).toEqual([
      "/nodes/0/data/pagination/maxPages",
    ]);
    expect(paths(paged("{{ input.pages }}"))).toEqual(["/nodes/0/data/pagination"]);
    expect(paths(paged({ ...usual, maxPages: 3 }))).toEqual([]);
  });
});

describe("notes", () => {
  const faultsOf = (notes: unknown) => checkDefinition({ ...definition([gives("a", 1)]), notes });
  const one = { id: "n", text: "**why**", x: -8, y: 0.5, width: 240, height: 120, colour: "weld", tied: ["a"] };

  it("are accepted in every form that a canvas can show", () => {
    for (const notes of [undefined, null, [], [one, { text: "old", position: { x: 1 } }]])
      expect(faultsOf(notes)).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ["no list", {}, "/notes"],
    ["too many", Array(501).fill(one), "/notes"],
    ["no object", ["text"], "/notes/0"],
    ["too long", [{ ...one, text: "x".repeat(10_001) }], "/notes/0/text"],
    ["no number", [one, { ...one, x: "8" }], "/notes/1/x"],
    ["without a size", [{ ...one, width: 0 }], "/notes/0/width"],
  ])("are faults if they are %s", (_, notes, path) => {
    expect(faultsOf(notes)).toEqual([{ nodeId: null, path, message: expect.any(String) }]);
  });

  it("are ignored by the engine, also if they are invalid", () => {
    expect(parseDefinition({ ...definition([gives("a", 1)]), notes: "{{ nothing }}" }).faults).toBeUndefined();
  });
});

describe("an expression", () => {
  const faultsOf = (value: unknown) => checkDefinition(definition([gives("a", 1), gives("other", value)], "a > other"));

  it.each<[string, string]>([
    ["{{ steps.typo.body }}", "`steps.typo` refers to a node that does not exist"],
    ["{{ steps.`x-y` }}", "`steps.x-y` refers to a node that does not exist"],
    ["text {{ steps.othr }}", 'Did you mean "other"?'],
    ["{{ $json.name }}", "$json"],
    ["{{ env.HOME }}", "Unknown name `env`"],
    ["{{ inputs.key }}", "Unknown name `inputs`"],
    ["{{ inputs.name }}", 'Did you mean "input"?'],
    ["{{ $map(input.items, function($v) { $v.n + missing }) }}", "Unknown name `missing`"],
    ["{{ {'a': nothing} }}", "Unknown name `nothing`"],
    ["{{ $foo(1) }}", "$foo"],
    ["{{ (steps).typo }}", "`steps.typo` refers to a node that does not exist"],
    ["{{ $$.steps.typo }}", "`steps.typo` refers to a node that does not exist"],
    ["{{ {'callback': $resumeUrl('othr')} }}", "`$resumeUrl` names `othr`, a node that does not exist. Did you mean"],
    ["{{ $resumeUrl('a') }}", "`$resumeUrl` names `a`, which is not a `wait` step"],
    ["{{ $resumeUrl() }}", "`$resumeUrl` needs the id of a `wait` step"],
    ["{{ $csv(input.rows, {'delimter': ';'}) }}", 'Unknown option `delimter` of `$csv`. Did you mean "delimiter"?'],
    ["{{ input.rows ~> $csv({'quote': '|'}) }}", "Unknown option `quote` of `$csv`. Known options: delimiter, header."],
    ["{{ $resumeUrl(5) }}", "`$resumeUrl` needs the id of a `wait` step"],
  ])("is a fault if it names something that does not exist: %s", (value, told) => {
    expect(faultsOf(value)).toEqual([
      { nodeId: "other", path: "/nodes/1/data/value", message: expect.stringContaining(told) as string },
    ]);
  });

  it.each([
    "{{ steps.a.anything[price > 3].name }}",
    "{{ input.items.{'n': name, 'p': price} }}",
    "{{ input.items{kind: $sum(price)} }}",
    "{{ input.items^(>price).name }}",
    "{{ input.items@$i#$n.{'x': $i.name, 'n': $n} }}",
    "{{ ($x := input.x; $f := function($n) { $n < 1 ? 1 : $f($n - 1) }; $f($x)) }}",
    "{{ input.list ~> $map(function($v) { $v.name }) ~> $join(', ') }}",
    "{{ input ~> |items|{'price': price * 2}, ['old']| }}",
    "{{ input.items.name.%.%.title }}",
    "{{ *.x }}",
    "{{ **.price }}",
    "{{ $keys(steps) }}",
    "{{ steps.*.body }}",
    "{{ [1..3].($ * 2) }}",
    "{{ $now() & $string(execution.id) & workflow.name & trigger.type & item.x & index }}",
    "{{ $substring(?, 1)(input.a) }}",
    "{{ input.a ?? input.b ?: 'c' }}",
    "{{ /ab+/i ~> $string() }}",
    "{{ input.step ~> $resumeUrl() }}",
    "{{ $resumeUrl(input.step) }}",
    "{{ $csv(input.rows, {'delimiter': ';', 'header': false}) }}",
    "{{ input.rows ~> $csv({'header': true}) }}",
    "{{ $csv({'any': 1}, input.options) }}",
  ])("is valid if it names only existing things: %s", value => expect(faultsOf(value)).toEqual([]));

  it("of a concurrency key cannot read steps", () => {
    const settings = { concurrency: { key: "{{ steps.a }}", limit: 1 } };
    expect(paths({ ...definition([gives("a", 1)]), settings })).toEqual(["/settings/concurrency/key"]);
  });

  it("of a run's key and labels cannot read steps either", () => {
    const settings = { key: "{{ steps.a }}", labels: { order: "{{ steps.a.id }}", fine: "{{ input.id }}" } };
    expect(paths({ ...definition([gives("a", 1)]), settings })).toEqual(["/settings/key", "/settings/labels/order"]);
  });

  it("may call every function of the library, and no other", () => {
    const source = readFileSync(createRequire(import.meta.url).resolve("jsonata"), "utf8");
    const bound = [...source.matchAll(/(?:staticFrame|environment)\.bind\('(\w+)'/g)].map(([, name]) => name);
    const own = Object.keys(ownFunctions({ now: 0, seed: "" }));
    expect([...FUNCTIONS].sort()).toEqual([...new Set([...bound, ...own])].sort());
  });

  it("is checked without the names that it looks up in values", () => {
    const parsed = parseExpression("steps.a.b.(c + $$.steps.d)");
    if ("fault" in parsed) throw new Error(parsed.fault);
    const root = parsed.expression.jsonata.ast() as unknown as SyntaxNode;
    expect(referencesOf(root)).toEqual({
      ...{ roots: ["steps"], unknownRoots: [], steps: ["a", "d"], resumed: [], vars: [], unknownVariables: [] },
      csvOptions: [],
    });
  });
});

it.each([
  ["wait", { event: "paid", schema: { type: 5 } }, "/nodes/0/data/schema"],
  ["human", { prompt: "Paid?", form: { properties: [] } }, "/nodes/0/data/form"],
])("reports an unreadable schema of a %s step as a fault", (type, data, path) => {
  expect(paths(definition([node("a", type, data)]))).toEqual([path]);
});

describe("a type that JSON Schema does not have", () => {
  const sum = { type: "object", properties: { sum: { type: ["nmber", "null"] } } };
  const asks = (form: object) => definition([node("a", "human", { prompt: "Sum?", form })]);

  it.each<[string, object, string]>([
    ["the form of a question", asks(sum), "/nodes/0/data/form"],
    [
      "the schema of a signal",
      definition([node("a", "wait", { event: "x", schema: { items: sum } })]),
      "/nodes/0/data/schema",
    ],
    ["the input of the workflow", { ...definition([]), settings: { inputSchema: sum } }, "/settings/inputSchema"],
  ])("is a fault in %s, and stored definitions still run", (_, what, path) => {
    const message =
      'Unknown type `nmber`. Did you mean "number"? Known types: string, number, integer, boolean, object, array, null.';
    expect(checkDefinition(what)).toEqual([expect.objectContaining({ path, message })]);
    expect(parseDefinition(what).faults).toBeUndefined();
  });

  it("is no fault if an expression gives it", () => {
    expect(paths(asks({ properties: { a: { type: "{{ input.type }}" }, type: { type: "string" } } }))).toEqual([]);
  });
});

it.each([
  ["htttp", 'Unknown node type `htttp`. Did you mean "http"?'],
  ["teleport", expect.stringMatching(/^Unknown node type `teleport`\. Known types: trigger, .+, fail\.$/)],
])("names the intended type for an unknown one, or else all types: %s", (type, message) => {
  expect(messages(definition([node("a", type)]))).toEqual([message]);
});

describe("the place of a fault", () => {
  it("is the unreadable node, not what refers to it", () => {
    const broken = node("a", "transform", { value: 1 }, { policy: { compensate: 5 } });
    const what = definition([broken, gives("b", 1), { ...gives("c", 1), parentId: "a" }], "a > b");
    expect(paths(what)).toEqual(["/nodes/0/policy/compensate"]);
  });

  it("counts the unreadable nodes before it", () => {
    const what = { nodes: [{ id: "a" }, { id: "a", type: "what" }, { id: "m", type: "http", data: { url: 1 } }] };
    expect(checkDefinition(what).map(({ nodeId, path }) => [nodeId, path])).toEqual([
      ["a", "/nodes/0/type"],
      ["a", "/nodes/1/type"],
      ["m", "/nodes/2/data/url"],
    ]);
    const twice = { nodes: [gives("a", 1), gives("a", 1), { ...gives("b", 1), parentId: "none" }] };
    expect(paths(twice)).toEqual(["/nodes/1/id", "/nodes/2/parentId"]);
  });
});

it("accepts a disabled node that is incomplete, and does not check its expressions", () => {
  const off = (type: string, data: object) => ({ ...node("a", type, data), disabled: true });
  expect(checkDefinition(definition([off("http", { nothing: "{{ steps.x }}" })]))).toEqual([]);
  expect(checkDefinition(definition([off("code", { code: "return (" })]))).toEqual([]);
});
