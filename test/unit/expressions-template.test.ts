import { compileTemplates } from "../../core/expressions/template.ts";
import { splitSegments } from "../../core/expressions/segments.ts";
import { MAX_EXPRESSION_LENGTH, MAX_EXPRESSIONS } from "../../core/expressions/limits.ts";

const sources = (text: string) =>
  (splitSegments(text) ?? []).map(part => (part.kind === "text" ? part.text : `<${part.source}>`));

describe("where an expression ends", () => {
  test.each([
    ["plain", ["plain"]],
    ["{{ a }}", ["< a >"]],
    ["x {{a}} y {{b}}", ["x ", "<a>", " y ", "<b>"]],
    ['{{ {"a": {"b": 1}} }}', ['< {"a": {"b": 1}} >']],
    ['{{{"a":{"b":1}}}}', ['<{"a":{"b":1}}>']],
    ["{{ \"}}\" & '}}' }}!", ["< \"}}\" & '}}' >", "!"]],
    ['{{ "a\\"}}" }}', ['< "a\\"}}" >']],
    ["{{ steps.`a}}b` }}", ["< steps.`a}}b` >"]],
    ["{{ /* }} */ a }}", ["< /* }} */ a >"]],
    ['{{ $match(a, /"\\}\\}/) }}', ['< $match(a, /"\\}\\}/) >']],
    ["{{ a / b }} and {{ c / d }}", ["< a / b >", " and ", "< c / d >"]],
    ["{{ a{b: c} }}", ["< a{b: c} >"]],
    ["a }} b", ["a }} b"]],
    ["{{ it's }} {{ b }}", ["< it's >", " {{ b }}"]],
  ])("%s", (text, expected) => expect(sources(text)).toEqual(expected));

  test("finds no expression if it is never closed", () => expect(splitSegments("a {{ b")).toBeUndefined());
});

describe("compiling templates", () => {
  const faultsOf = (data: unknown) => compileTemplates(data).faults;

  test("keep data without expressions as one constant, by reference", () => {
    const data = { a: [1, "x", { b: null }] };
    const { root, faults } = compileTemplates(data);
    expect(faults).toEqual([]);
    expect(root.kind === "constant" && root.value).toBe(data);
  });

  test("report the place of every fault and how to fix it", () => {
    const faults = faultsOf({
      url: "{{ 1 + }}",
      headers: [{ value: "x {{ (a }}" }, { value: "{{ }}" }],
      ok: "{{ a }}",
    });
    expect(faults.map(fault => fault.path)).toEqual(["/url", "/headers/0/value", "/headers/1/value"]);
    expect(faults[0]?.message).toMatch(/^The expression is not valid: .*end of expression.*character/);
    expect(faults[2]?.message).toMatch(/Write one/);
  });

  test("report an expression that is never closed", () => {
    expect(faultsOf("{{ a")).toEqual([{ path: "", message: expect.stringContaining("add }}") as string }]);
  });

  test("limit expressions in length, nesting and number", () => {
    expect(faultsOf(`{{ "${"x".repeat(MAX_EXPRESSION_LENGTH)}" }}`)[0]?.message).toMatch(/longer than|never closed/);
    expect(faultsOf(`{{ ${"(".repeat(300)}1${")".repeat(300)} }}`)[0]?.message).toMatch(/nested too deeply/);
    expect(faultsOf(`{{ ${"a.".repeat(4_900)}a }}`)[0]?.message).toMatch(/path of more than/);
    expect(faultsOf(Array.from({ length: MAX_EXPRESSIONS + 5 }, () => "{{ a }}"))).toHaveLength(1);
  });

  test("limit data in depth", () => {
    let data: unknown = "{{ a }}";
    for (let i = 0; i < 101; i++) data = [data];
    expect(faultsOf(data)[0]?.message).toMatch(/nested deeper than 100/);
  });

  test("reject nesting that would double the parser's work per level before parsing", () => {
    const nested = `${"(".repeat(60)}a${" ?? b)".repeat(60)}`;
    expect(faultsOf(`{{ ${nested} }}`)[0]?.message).toMatch(/\?\?/);
    expect(faultsOf(`{{ ${"a ?? ".repeat(60)} b }}`)).toEqual([]);
    expect(faultsOf(`{{ a${".b".repeat(100)}${".%".repeat(60)} }}`)[0]?.message).toMatch(/%/);
  });
});
