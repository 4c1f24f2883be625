import { overtyped } from "../../console/editor/braces.ts";
import { completionAt, type EditorScope } from "../../console/editor/complete.ts";
import { insertionAt } from "../../console/editor/insertion.ts";
import { pathText, typedAt } from "../../console/editor/path.ts";
import { keysAt } from "../../console/editor/sample.ts";
import { type Language, tokensOf } from "../../console/editor/tokens.ts";

const SAMPLE = {
  input: { amount: 42, "due date": "2026-01-31" },
  steps: {
    check: {
      status: 200,
      body: {
        order: { id: "A-7" },
        lines: [
          { sku: "bell", price: 9 },
          { sku: "rope", note: "" },
        ],
      },
    },
    "send mail": { sent: true },
  },
};

const SCOPE: EditorScope = {
  names: [
    { name: "input", docs: "" },
    { name: "steps", docs: "" },
  ],
  steps: [
    { id: "later", name: "Later", useless: "runs after this step" },
    { id: "check", name: "Check the order", useless: undefined },
    { id: "send mail", name: "send mail", useless: undefined },
  ],
  functions: [{ name: "$sum", signature: "$sum(numbers)", docs: "Adds." }],
  sample: () => SAMPLE,
  schemaOf: id =>
    id === "check"
      ? {
          type: "object",
          properties: { headers: { type: "object", properties: { etag: { type: "string" } } }, body: {} },
        }
      : undefined,
};

/** What is offered at `|`, in order. */
function offered(marked: string, language: Language = "template") {
  const at = marked.indexOf("|");
  const found = completionAt(marked.replace("|", ""), at, language, SCOPE);
  return found?.options.map(({ apply }) => apply);
}

describe("the pieces of a text", () => {
  const kinds = (text: string, language: Language) =>
    tokensOf(text, language)
      .tokens.filter(({ kind }) => kind !== null)
      .map(({ text: piece, kind }) => `${piece}:${kind}`);

  it("end an expression at the first braces outside of its strings and objects", () => {
    expect(kinds('a {{ {"b": "}}"} }} c', "template")).toEqual([
      "{{:brace",
      "{:operator",
      '"b":string',
      "::operator",
      '"}}":string',
      "}:operator",
      "}}:brace",
    ]);
  });

  it("distinguish a division from a regular expression", () => {
    expect(kinds("a / b / 2", "expression")).toContain("/:operator");
    expect(kinds("$match(a, /b+/)", "expression")).toContain("/b+/:string");
  });

  it("continue an open string or comment on the next line", () => {
    expect(kinds("/* a\nb */ 1", "javascript")).toEqual(["/* a:comment", "b */:comment", "1:number"]);
    expect(kinds("{{ `a\nb` }}", "template")).toEqual(["{{:brace", "`a:name", "b`:name", "}}:brace"]);
  });

  it("cover every character once, whatever the text is", () => {
    for (const text of ["{{", "}}{{ '", "a {{ b /", "{{ $", '\\"', "{{ [1..3].(/x", "\n\n{{\n"]) {
      for (const language of ["template", "expression", "json", "javascript", "text"] as const) {
        const { tokens } = tokensOf(text, language);
        expect(tokens.map(({ text: piece }) => piece).join("")).toBe(text.replaceAll("\n", ""));
      }
    }
  });
});

describe("completion", () => {
  it.each([
    ["{{ |", ["input", "steps", "$sum("]],
    ["{{ $s|", ["$sum("]],
    ["{{ steps.|", ["check", "`send mail`", "later"]],
    ["{{ steps.che|", ["check", "`send mail`", "later"]],
    ["{{ steps.check.|", ["status", "body", "headers"]],
    ["{{ steps.check.headers.|", ["etag"]],
    ["{{ steps.check.body.lines.|", ["sku", "price", "note"]],
    ["{{ steps.check.body.lines[0].|", ["sku", "price"]],
    ["{{ steps.check.body.lines[|", ["sku", "price", "note"]],
    ["{{ steps.check.body.lines[price > 5].|", ["sku", "price", "note"]],
    ["{{ steps.check.body.(order.|", ["id"]],
    ["{{ $sum(steps.check.body.lines.|", ["sku", "price", "note"]],
    ["{{ input.|", ["amount", "`due date`"]],
    ["{{ input.`du|", ["amount", "`due date`"]],
    ["{{ steps.`send mail`.|", ["sent"]],
    ["Hello {{ input.amount }} and {{ input.|", ["amount", "`due date`"]],
    ["{{ $$.input.|", ["amount", "`due date`"]],
  ])("offers at %s", (text, options) => expect(offered(text)).toEqual(options));

  it.each(["input.|", "{{ 'input.|", "{{ 12|", "{{ input.amount }} in|", "{{ $f(1).|", "{{ $x.|"])(
    "offers nothing at %s",
    text => expect(offered(text)).toBeUndefined(),
  );

  it("offers a step that cannot be used last, with the reason", () => {
    const { options } = completionAt("{{ steps.", 9, "template", SCOPE)!;
    expect(options.at(-1)).toMatchObject({ label: "later", type: "useless", detail: "runs after this step" });
  });

  it("writes a name in brackets if it is no identifier of JavaScript", () => {
    expect(offered("return steps.check.|", "javascript")).toEqual(["status", "body", "headers"]);
    expect(completionAt("input.", 6, "javascript", SCOPE)).toMatchObject({
      dot: 5,
      options: [{ apply: "amount" }, { apply: '["due date"]', dot: true }],
    });
    expect(offered('return steps["send mail"].|', "javascript")).toEqual(["sent"]);
    expect(offered("const a = steps.check.body.lines[in|", "javascript")).toEqual(["input", "steps"]);
  });

  it("leaves out names that expressions cannot write", () => {
    const scope = { ...SCOPE, sample: () => ({ input: { "a`b": 1, c: 2 } }) };
    expect(completionAt("{{ input.", 9, "template", scope)!.options.map(({ apply }) => apply)).toEqual(["c"]);
  });

  it("searches only a few items of a long list", () => {
    const long = Array.from({ length: 100_000 }, (_, n) => ({ [`k${n}`]: n }));
    expect(keysAt(long, []).size).toBe(50);
  });
});

describe("a path that is written into a field", () => {
  const PATH = ["steps", "send mail", "to", 0];

  it("gets braces in text, and none inside of an expression", () => {
    expect(insertionAt("Dear ", 5, PATH, "template")).toBe("{{ steps.`send mail`.to[0] }}");
    expect(insertionAt("{{ $sum() }}", 8, PATH, "template")).toBe("steps.`send mail`.to[0]");
    expect(insertionAt("return ", 7, PATH, "javascript")).toBe('steps["send mail"].to[0]');
    expect(insertionAt("", 0, ["input", "a`b"], "template")).toBeUndefined();
  });

  it("is parsed as it was written", () => {
    for (const path of [PATH, ["input", "and"], ["steps", "größe", "1st"]]) {
      const text = `{{ ${pathText(path, "expression")}.`;
      expect(typedAt(text, text.length, "template")?.base).toEqual(path);
    }
  });
});

describe("closing braces that the editor wrote", () => {
  /** What is there when these keys are typed, with `{{` written as the editor writes it. */
  function typed(keys: string) {
    let text = "";
    let at = 0;
    const put = (chars: string, on = chars.length) => {
      text = text.slice(0, at) + chars + text.slice(at);
      at += on;
    };
    for (const key of keys) {
      const known = overtyped(text, at, key);
      if (known) {
        text = text.slice(0, known.from) + text.slice(known.to);
        at = known.cursor;
      } else if (key === "{" && text[at - 1] === "{" && text[at - 2] !== "{") put("{  }}", 2);
      else put(key);
    }
    return `${text.slice(0, at)}|${text.slice(at)}`;
  }

  it.each([
    ["{{ input.a }}", "{{ input.a }}|"],
    ["{{input.a}}", "{{ input.a }}|"],
    ["{{ input.a}} and {{ input.b }}.", "{{ input.a }} and {{ input.b }}.|"],
    ['{{ {"a": 1} }}', '{{ {"a": 1} }}|'],
    ["{{ '}' }}", "{{ '}' }}|"],
    ["{{ input.a", "{{ input.a| }}"],
    ["a } b", "a } b|"],
  ])("are not duplicated after %s", (keys, text) => {
    expect(typed(keys)).toBe(text);
  });
});
