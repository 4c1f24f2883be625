import type { Json } from "../support/api.ts";
import { chain, imported, node, set } from "../support/n8n.ts";

describe("a node without a counterpart", () => {
  it.each<[string, Json, string]>([
    ["an expression that may mean two things", set("={{ $json.a + $json.b }}"), "`+`"],
    [
      "a value of another type than it says",
      node(
        "set",
        { assignments: { assignments: [{ name: "a", value: "many", type: "number" }] } },
        { typeVersion: 3.4 },
      ),
      '"many" as the number',
    ],
    ["a Set that keeps some fields", node("set", { include: "selected" }, { typeVersion: 3 }), "choice of the fields"],
    [
      "pages by a parameter of the body",
      node(
        "httpRequest",
        {
          url: "u",
          options: {
            pagination: {
              pagination: {
                paginationMode: "updateAParameterInEachRequest",
                parameters: { parameters: [{ type: "body", name: "page", value: "={{ $pageCount }}" }] },
              },
            },
          },
        },
        { typeVersion: 4 },
      ),
      "pagination",
    ],
    ["files", node("httpRequest", { url: "u", responseFormat: "file" }), "file"],
    [
      "a form with files",
      node("httpRequest", { url: "u", sendBody: true, contentType: "multipart-form-data" }, { typeVersion: 4 }),
      "multipart-form-data",
    ],
    ["a Wait for a call", node("wait", { resume: "webhook" }), "webhook"],
    ["a time without a zone", node("wait", { resume: "specificTime", dateTime: "2030-01-01T00:00:00" }), "zone"],
    [
      "a Merge by fields that it does not name",
      node("merge", { mode: "combine", combineBy: "combineByFields" }, { typeVersion: 3 }),
      "by fields",
    ],
    [
      "a Switch that takes several outputs",
      node("switch", { options: { allMatchingOutputs: true } }, { typeVersion: 3 }),
      "several outputs",
    ],
    [
      "a comparison of dates",
      node(
        "if",
        {
          conditions: {
            conditions: [{ leftValue: "a", rightValue: "b", operator: { type: "dateTime", operation: "after" } }],
          },
        },
        { typeVersion: 2 },
      ),
      "dateTime after",
    ],
    ["a loop that comes back nowhere", node("splitInBatches", {}, { typeVersion: 3 }), "no node is inside"],
    ["code that imports", node("code", { jsCode: "return (await import('fs')).x" }, { typeVersion: 2 }), "await"],
    ["code that loads", node("code", { jsCode: "return import('fs')" }, { typeVersion: 2 }), "import"],
    ["code in a template", node("code", { jsCode: "return `${require('fs')}`" }, { typeVersion: 2 }), "require"],
    ["code with a syntax error", node("code", { jsCode: "return [" }, { typeVersion: 2 }), "syntax error"],
    ["code that is long", node("code", { jsCode: "1;".repeat(40_000) }, { typeVersion: 2 }), "65536"],
    ["code with an outside", node("code", { jsCode: "return $env.X" }, { typeVersion: 2 }), "$env"],
    ["a type that nothing is like", node("hubspot"), "no step like it"],
    ["another act of Slack", node("slack", { resource: "channel", operation: "create" }), "channel create"],
    [
      "a query that names a table by an expression",
      node("postgres", { operation: "select", table: "={{ $json.t }}" }),
      "table",
    ],
    ["a query of columns that the input names", node("mySql", { table: "t", dataMode: "autoMapInputData" }), "fields"],
    ["a type of ours by chance", { ...node("x"), type: "http" }, "no step like it"],
  ])("is kept unchanged: %s", (_, one, reason) => {
    const document = chain(node("manualTrigger"), one);
    const { definition, faults } = imported(document);
    const kept = definition.nodes.at(-1)!;
    expect(faults).toEqual({ [kept.id]: "/type" });
    expect(kept.type).toContain(".");
    expect(kept.data.note).toContain(reason);
    expect(kept.data.original.parameters).toEqual(one.parameters);
  });
});
